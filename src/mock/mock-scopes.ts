import { setTimeout as sleep } from 'node:timers/promises'
import type { Position } from '../source.ts'
import type { MockReport, MockScope } from './mock.ts'
import { endLayer, isComplete, isForbidding, ScopeReport, type MockLayer } from './mock-layer.ts'

/** Place of what belongs to no scope. */
const NOWHERE: Position = [1, 1]

/** How long `settle` waits for calls that are still to come, in ms. */
const SETTLE_LIMIT = 100

/** The open scopes of a mock server, and the calls that are not decided yet. */
export class MockScopes {
  /** Innermost first. */
  layers: readonly MockLayer[] = []
  readonly #outside = new ScopeReport()
  #undecided = 0

  /** Report of the innermost scope that is open now; a call may end in another scope than it began in. */
  get current(): ScopeReport {
    return this.layers[0]?.report ?? this.#outside
  }

  /** Place of the innermost scope that is open now. */
  get at(): Position {
    return this.layers[0]?.context.at ?? NOWHERE
  }

  /** Opens a scope: its layer is asked before all others. */
  open(layer: MockLayer): MockScope {
    this.layers = [layer, ...this.layers]
    return {
      settle: (limit = SETTLE_LIMIT) => this.#settle(layer, limit),
      finish: (isPartial) => this.#end(layer, isPartial),
    }
  }

  /** Notes that a call has come in; the returned function says that it is decided. */
  startCall(): () => void {
    this.#undecided++
    return () => void this.#undecided--
  }

  /** Ends all scopes that are still open, and reports what happened while none was. */
  close(): MockReport {
    for (const layer of this.layers) this.#end(layer)
    return this.#outside.list(NOWHERE)
  }

  #end(layer: MockLayer, isPartial = false): MockReport {
    this.layers = this.layers.filter((other) => other !== layer)
    return endLayer(layer, isPartial)
  }

  async #settle(layer: MockLayer, limit: number): Promise<void> {
    const until = performance.now() + limit
    // A call under way reaches the interceptor some turns of the event loop later.
    await new Promise((resolve) => setImmediate(resolve))
    const isOpen = (): boolean => this.#undecided > 0 || !isComplete(layer) || isForbidding(layer)
    while (isOpen() && performance.now() < until) await sleep(1)
  }
}
