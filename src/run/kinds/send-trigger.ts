import type { TriggerPlan } from '../../suite/plan/plan.ts'
import { pickFields, type Json } from '../../json.ts'
import { showValue } from '../../text/show-value.ts'
import { createAttempt, type StepAttempt } from '../attempt/attempt.ts'
import { prepareStep, sendStep } from '../attempt/send-step.ts'

/** Sends a request while the connection of a step is open, with a row for its response. Resolves to whether its status was below 400, without errors of GraphQL. */
export async function sendTrigger(attempt: StepAttempt, trigger: TriggerPlan): Promise<boolean> {
  const { rows, failures, warnings } = attempt
  const { request, defaultAuth, at } = trigger
  const ofStep = { stream: undefined, websocket: undefined, save: undefined, bodyAs: undefined }
  const step = { ...attempt.step, ...ofStep, request, defaultAuth, at }
  const own = { ...createAttempt({ ...attempt, step, trigger }), warnings }
  const prepared = await prepareStep(own)
  const response = prepared && (await sendStep(own, prepared))
  attempt.learn?.(own.details)
  const { method, full_url } = own.details.request_details ?? {}
  if (response && response.status_code >= 400)
    own.failures.push({
      message: `Expected a status below 400 for the trigger \`${method} ${full_url}\`, got ${response.status_code}; its body: ${showValue(response.body)}`,
      at,
    })
  const { errors } = Object(response?.body) as { errors?: Json }
  if (request.graphql && response && (errors !== undefined || response.bodyError !== undefined))
    own.failures.push({
      message: `Expected no \`errors\` for the trigger \`${method} ${full_url}\`, got ${response.bodyError ?? showValue(errors ?? null)}`,
      at,
    })
  const [failure] = own.failures
  // The request of the step itself has not failed.
  failures.push(...own.failures.map((one) => pickFields(one, ['message', 'common', 'at'])))
  rows.push({
    field: 'trigger',
    expected: 'a status below 400',
    actual: response?.status_code ?? null,
    passed: !failure,
    message: failure?.message ?? 'OK',
  })
  return !failure
}
