import type { Json, JsonObject } from '../../json.ts'
import type { Mock, MockContext } from '../mock.ts'
import type { ScopeReport } from '../scope-report.ts'

/** Fills in the `{{…}}` of a part of one mock, given by its place in the mock; throws what fails in them. */
export type FillPart = (pointer: string, value: Json, locals?: JsonObject) => Json

/** Fills in parts of a mock, and notes each `{{…}}` that has no value and stays as written. */
export function prepareFill(
  mock: Mock,
  context: Pick<MockContext, 'fillIn'>,
  report: Pick<ScopeReport, 'addWarning'>,
): FillPart {
  return (pointer, value, locals = Object.create(null) as JsonObject) => {
    const filled = context.fillIn({ mock, pointer, value }, locals)
    for (const { message, at } of filled.warnings) report.addWarning(message, at)
    return filled.value
  }
}
