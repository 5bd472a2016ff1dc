export type Note = { id: number; text: string; mistakes: number }

const notes = new Map<number, Note>()

/** All notes, oldest first. */
export function listNotes(): Note[] {
  return [...notes.values()]
}

/** One note, if it exists. */
export function findNote(id: string): Note | undefined {
  return notes.get(Number(id))
}

/** Saves a text with the number of mistakes that the spelling service finds in it. */
export async function writeNote(text: string): Promise<Note> {
  const response = await fetch('https://spelling.example/check', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ text }),
  })
  const { mistakes } = (await response.json()) as { mistakes: number }
  const note = { id: notes.size + 1, text, mistakes }
  notes.set(note.id, note)
  return note
}

/** Deletes a note. */
export function deleteNote(id: string): void {
  notes.delete(Number(id))
}
