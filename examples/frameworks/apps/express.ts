import express from 'express'
import { deleteNote, findNote, listNotes, writeNote } from '../notes.ts'

const app = express()
app.use(express.json())
app.get('/notes', (_, response) => {
  response.json(listNotes())
})
app.get('/notes/:id', ({ params }, response) => {
  const note = findNote(params.id)
  if (note) response.json(note)
  else response.sendStatus(404)
})
app.post('/notes', async ({ body }, response) => {
  response.status(201).json(await writeNote(body.text))
})
app.delete('/notes/:id', ({ params }, response) => {
  deleteNote(params.id)
  response.sendStatus(204)
})

export default app
