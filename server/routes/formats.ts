import { type Reply, replyHtml, replyJson } from '../reply.ts'
import type { Route } from '../route.ts'
import { DENY_TEXT, FORM_PAGE, HTML_PAGE, ROBOTS_TEXT, UTF8_PAGE, XML_PAGE } from './pages.ts'

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

/** Fixed documents in several formats. */
export const formatRoutes: Route[] = [
  { methods: ['GET'], path: '/json', handle: () => replyJson(SLIDES) },
  { methods: ['GET'], path: '/html', handle: () => replyHtml(HTML_PAGE) },
  { methods: ['GET'], path: '/encoding/utf8', handle: () => replyHtml(UTF8_PAGE) },
  { methods: ['GET'], path: '/forms/post', handle: () => replyHtml(FORM_PAGE) },
  { methods: ['GET'], path: '/xml', handle: () => replyDocument('application/xml', XML_PAGE) },
  { methods: ['GET'], path: '/robots.txt', handle: () => replyDocument('text/plain', ROBOTS_TEXT) },
  { methods: ['GET'], path: '/deny', handle: () => replyDocument('text/plain', DENY_TEXT) },
]

function replyDocument(type: string, body: string): Reply {
  return { status: 200, headers: ['Content-Type', type], body }
}
