import { replyJson } from '../reply.ts'
import type { Route } from '../route.ts'

const SLIDES = {
  slideshow: {
    author: 'Yours Truly',
    date: 'date of publication',
    slides: [
      { title: 'Wake up to WonderWidgets!', type: 'all' },
      {
        items: ['Why <em>WonderWidgets</em> are great', 'Who <em>buys</em> WonderWidgets'],
        title: 'Overview',
        type: 'all',
      },
    ],
    title: 'Sample Slide Show',
  },
}

/** `/json`: fixed documents. */
export const formatRoutes: Route[] = [{ methods: ['GET'], path: '/json', handle: () => replyJson(SLIDES) }]
