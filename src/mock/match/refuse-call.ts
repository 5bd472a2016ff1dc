import type { Decision, DecisionTools } from './decision.ts'
import { createRefusal } from '../intercept/network-errors.ts'
import type { Mock, MockCall } from '../mock.ts'
import { nameMock } from '../mock-layer.ts'
import type { OutgoingCall } from '../intercept/outgoing-call.ts'

/** For a mock or handler that throws; a request that the application itself gave up is nobody's failure. */
export function refuseFailed(call: OutgoingCall, { report, at }: DecisionTools, reason: string): Decision {
  if (!call.request.signal.aborted)
    report.current.addProblem(`The application sent ${nameCall(call)} and got no answer: ${reason}`, at)
  return refuse(call, reason)
}

/** For a call of a mock that has been called as often as its `times` says. */
export function refuseExceeded(call: OutgoingCall, mock: Mock, { report }: DecisionTools): Decision {
  const times = mock.times === 1 ? '1 time' : `${mock.times} times`
  const message =
    mock.times === 0
      ? `Expected the mock of ${nameMock(mock)} not to be called, but the application sent ${nameCall(call)}`
      : `Expected the mock of ${nameMock(mock)} to be called ${times}, but the application sent ${nameCall(call)} once more`
  report.current.addProblem(message, mock.at)
  return refuse(call, `the mock was called ${times} already`)
}

/** For a call that nothing answers: it is refused, or goes to the network, as the policy says. */
export function leaveUnhandled(
  call: OutgoingCall,
  { policy, report, at }: DecisionTools,
  reason: string,
): Decision {
  const message = `The application sent ${nameCall(call)} and ${reason}.`
  if (policy === 'error') {
    report.current.addProblem(
      `${message} Add a mock with a \`respond\`, or set the option \`onUnhandled\`.`,
      at,
    )
    return refuse(call, reason)
  }
  if (policy === 'warn') report.current.addWarning(`${message} It went to the network.`, at)
  return { note: { ...describeNote(call), outcome: 'passed_through' }, delay: 0 }
}

function refuse(call: OutgoingCall, reason: string): Decision {
  return {
    note: { ...describeNote(call), outcome: 'unhandled' },
    action: { error: createRefusal(`${nameCall(call)}: ${reason}`) },
    delay: 0,
  }
}

/** A call as reports name it. */
export function describeNote({ method, url }: OutgoingCall): Pick<MockCall, 'method' | 'url'> {
  return { method, url: url.href }
}

function nameCall({ method, url }: OutgoingCall): string {
  const shown = url.href.length > 300 ? `${url.href.slice(0, 300)}…` : url.href
  return `\`${method} ${shown}\``
}

/** Decides about an HTTP/2 connection, which no mock can answer: the error that ends it, or undefined to let it go to the network. */
export function decideHttp2(
  { href }: URL,
  { report, at, policy }: Pick<DecisionTools, 'report' | 'at' | 'policy'>,
): Error | undefined {
  const message = `The application opened an HTTP/2 connection to \`${href}\`, which mocks cannot answer.`
  if (policy === 'error') {
    report.current.addProblem(`${message} Let it use HTTP/1.1, or set the option \`onUnhandled\`.`, at)
    return createRefusal(message)
  }
  if (policy === 'warn') report.current.addWarning(`${message} It went to the network.`, at)
  return undefined
}
