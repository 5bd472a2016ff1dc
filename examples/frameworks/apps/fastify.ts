import fastify from 'fastify'
import { deleteNote, findNote, listNotes, writeNote } from '../notes.ts'

type OneNote = { Params: { id: string } }

const app = fastify()
app.get('/notes', () => listNotes())
app.get<OneNote>('/notes/:id', ({ params }, reply) => findNote(params.id) ?? reply.callNotFound())
app.post<{ Body: { text: string } }>('/notes', async ({ body }, reply) => {
  const note = await writeNote(body.text)
  return reply.status(201).send(note)
})
app.delete<OneNote>('/notes/:id', ({ params }, reply) => {
  deleteNote(params.id)
  return reply.status(204).send()
})

export default app
