import { runBounded } from '../../interpolation/expressions/bounded-run.ts'
import { hintNoMatch, parseHtml, selectCss } from './css.ts'
import { loadPackages, type Language } from './languages.ts'
import { hintEmpty, parseXml, selectXpath, type Namespaces } from './xpath.ts'

/** The text of a body, its content type, and the format it is to be read as, if given. */
type MarkupSource = { text: string; contentType: string | undefined; kind?: string | undefined }

/** The texts found, with a hint if nothing was; or why the search was impossible. */
type Selection = { values: string[]; hint?: string } | { problem: string }

type Select = (expression: string, namespaces: Namespaces) => Selection

/** Evaluates an expression on an XML or HTML answer, with the prefixes of the suite that sent the request, or others. */
export type SelectMarkup = (language: Language, expression: string, namespaces?: Namespaces) => Selection

/** Prepares searches in an answer. It is parsed on first use, once per language; each expression may take `limit` ms. */
export function openMarkup(source: MarkupSource, own: Namespaces, limit = 1000): SelectMarkup {
  const opened: { [Name in Language]?: Select } = {}
  return (language, expression, namespaces = own) => {
    try {
      // Outside the time limit: a package interrupted while loading stays half loaded.
      loadPackages(language)
      const found = runBounded(limit, () => {
        opened[language] ??= openBody(language, source)
        return opened[language](expression, namespaces)
      })
      const problem = `\`${expression}\` ran longer than ${limit} ms (option \`limits.expression\`)`
      return found?.value ?? { problem }
    } catch (error) {
      return { problem: `\`${expression}\` could not be evaluated: ${(error as Error).message}` }
    }
  }
}

/** Expressions that say that nothing was found, with what they say. */
const foundNone = /^(?:(?:count|exists|boolean)\(.*\) (?:0|false)|(?:not|empty)\(.*\) true)$/s

function openBody(language: Language, source: MarkupSource): Select {
  const { text, contentType = 'of no type', kind: chosen } = source
  const kind = readKind(source)
  if (kind === undefined || (language === 'xpath' && kind === 'html')) {
    const wanted = language === 'xpath' ? 'XML' : 'HTML or XML'
    const other = kind === 'html' ? '; in HTML look with `css`' : ''
    const start = `\`${language}\` reads ${wanted}, and`
    if (kind === undefined && chosen !== undefined)
      return refuse(`${start} \`body_as: ${chosen}\` says that the answer is none`)
    const way = `\`body_as: ${language === 'xpath' ? 'xml' : 'html'}\` beside \`request\` reads it all the same`
    return refuse(`${start} the answer is ${contentType}${other}. ${way}`)
  }
  if (text.trim() === '') return refuse(`\`${language}\` has nothing to read: the body is empty`)
  try {
    if (language === 'css') {
      const isXml = kind === 'xml'
      const document = parseHtml(text, isXml)
      return (expression) => {
        const values = selectCss(document, expression, isXml)
        return values.length > 0 ? { values } : { values, hint: hintNoMatch(text, expression, isXml) }
      }
    }
    const document = parseXml(text)
    return (expression, namespaces) => {
      const values = selectXpath(document, expression, namespaces)
      const isNone = values.length === 0 || foundNone.test(`${expression.trim()} ${values[0]}`)
      return isNone ? { values, hint: hintEmpty(expression, { document, text, namespaces }) } : { values }
    }
  } catch (error) {
    return refuse(`The body could not be read as ${kind.toUpperCase()}: ${(error as Error).message}`)
  }
}

function refuse(problem: string): Select {
  return () => ({ problem })
}

function readKind({ contentType = '', kind }: MarkupSource): 'xml' | 'html' | undefined {
  if (kind !== undefined) return kind === 'xml' || kind === 'html' ? kind : undefined
  if (/^\s*text\/html\s*(?:;|$)/i.test(contentType)) return 'html'
  return /^\s*(?:(?:application|text)\/xml|[^\s;]+\+xml)\s*(?:;|$)/i.test(contentType) ? 'xml' : undefined
}
