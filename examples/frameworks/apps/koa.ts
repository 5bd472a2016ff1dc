import { bodyParser } from '@koa/bodyparser'
import { Router } from '@koa/router'
import Koa from 'koa'
import { deleteNote, findNote, listNotes, writeNote } from '../notes.ts'

const router = new Router()
router.get('/notes', (context) => {
  context.body = listNotes()
})
router.get('/notes/:id', (context) => {
  const note = findNote(context.params['id'] as string)
  if (note) context.body = note
})
router.post('/notes', async (context) => {
  context.body = await writeNote((context.request.body as { text: string }).text)
  context.status = 201
})
router.delete('/notes/:id', (context) => {
  deleteNote(context.params['id'] as string)
  context.status = 204
})

const app = new Koa()
app.use(bodyParser())
app.use(router.routes())

export default app
