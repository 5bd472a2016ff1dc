import { parseTemplate, TemplateError } from '../interpolation/template.ts'

const PREFIX = '{{js: '

/** Says why a JavaScript condition does not parse (or loads modules), with the offset in it; undefined when it is fine. */
export function validateCondition(source: string): { message: string; offset: number } | undefined {
  try {
    parseTemplate(`${PREFIX}${source}}}`)
    return undefined
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error
    return { message: error.message, offset: Math.max(0, error.offset - PREFIX.length) }
  }
}
