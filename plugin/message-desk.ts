import type { ExportBoard } from './export-board.ts'
import { PLAN_QUERY, readMessage, type Message } from './messages.ts'
import type { SuiteFiles } from './suite-files.ts'

/** What messages ask of, or tell, the main process. */
export type MessageTarget = {
  board: ExportBoard
  files: SuiteFiles | undefined
  /** Key that the messages are sealed with. */
  key: string
}

/** Answers the messages of workers. */
export class MessageDesk {
  #target: MessageTarget
  #answers = new Map<string, Promise<unknown>>()

  constructor(target: MessageTarget) {
    this.#target = target
  }

  /** Answers a message; the answer travels as a module. Vite may load a module twice: the message counts once. */
  async answer(id: string): Promise<{ code: string; moduleType: 'js' }> {
    const answering = this.#answers.get(id) ?? this.#answer(readMessage(id, this.#target.key))
    this.#answers.set(id, answering)
    return {
      code: `export default JSON.parse(${JSON.stringify(JSON.stringify(await answering))})`,
      moduleType: 'js',
    }
  }

  async #answer(message: Message): Promise<unknown> {
    const { board, files } = this.#target
    let answer: unknown = null
    if (message.kind === 'claim') answer = await board.claim(message)
    else if (message.kind === 'wanted') answer = (await board.progress.findWanted(message.nodeId)) ?? null
    else if (message.kind === 'publish') board.publish(message.nodeId, message.published, message.more)
    else if (message.kind === 'find') {
      const file = await files?.find(message.reference, message.folder)
      answer = file === undefined ? null : `${file}${PLAN_QUERY}`
    }
    return answer
  }

  /** Forgets the answers of the last run. */
  clear(): void {
    this.#answers.clear()
  }
}
