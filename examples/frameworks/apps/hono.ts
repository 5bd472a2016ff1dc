import { Hono } from 'hono'
import { deleteNote, findNote, listNotes, writeNote } from '../notes.ts'

const app = new Hono()
app.get('/notes', (context) => context.json(listNotes()))
app.get('/notes/:id', (context) => {
  const note = findNote(context.req.param('id'))
  return note ? context.json(note) : context.notFound()
})
app.post('/notes', async (context) => {
  const { text } = await context.req.json<{ text: string }>()
  return context.json(await writeNote(text), 201)
})
app.delete('/notes/:id', (context) => {
  deleteNote(context.req.param('id'))
  return context.body(null, 204)
})

export default app
