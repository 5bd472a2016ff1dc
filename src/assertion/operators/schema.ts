import { isJsonObject } from '../../json.ts'
import { explainIdle } from '../json-schema/explain-idle.ts'
import { ANY_TYPE, fail, passWith, type Operator } from './operator.ts'

const MAX_SHOWN = 20

/** Validates against a JSON Schema, inline or in a file; it must have been compiled by `loadSchemas` before. */
export const schemaOperator = {
  about: 'JSON Schema, inline or the name of a file.',
  operand: 'schema',
  explainBadOperand(operand) {
    if (typeof operand === 'string')
      return operand !== '' && !operand.includes('{{') ? undefined : 'a file name without `{{…}}`'
    if (!isJsonObject(operand)) return 'a JSON Schema or the name of a file with one'
    return Object.keys(operand).length > 0 ? undefined : 'a JSON Schema (an empty one checks nothing)'
  },
  takes: ANY_TYPE,
  resolve: (operand) => operand,
  judge(actual, operand, { field, tools }) {
    const compiled = tools.schemas?.get(operand)
    if (compiled === undefined)
      return fail(`The schema of \`${field}\` was not loaded, so nothing was checked`)
    if ('problem' in compiled) return fail(`The schema of \`${field}\` cannot be used: ${compiled.problem}`)
    const errors = compiled.validate(actual, (pattern, subject) => tools.test(pattern, subject))
    if (errors.length === 0) {
      const idle = explainIdle(compiled.schema, actual)
      return passWith(idle && `\`schema\` of \`${field}\` ${idle}`)
    }
    const lines = errors.slice(0, MAX_SHOWN).map(({ path, message }) => `  \`${field}${path}\` ${message}`)
    if (errors.length > lines.length) lines.push(`  … and ${errors.length - lines.length} more`)
    return fail(`Expected \`${field}\` to match the ${compiled.name ?? 'JSON Schema'}:\n${lines.join('\n')}`)
  },
} satisfies Operator
