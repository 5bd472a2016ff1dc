import { runBounded } from '../../interpolation/expressions/bounded-run.ts'
import { openCss } from './css.ts'
import { loadPackages, type Language, type Namespaces, type Select } from './languages.ts'
import { openXpath } from './xpath.ts'

type MarkupSource = { text: string; contentType: string | undefined; kind?: string | undefined }

type Selection = ReturnType<Select> | { problem: string }

/** Searches an XML or HTML response. `namespaces`: by default those of the suite that sent the request. */
export type SelectMarkup = (language: Language, expression: string, namespaces?: Namespaces) => Selection

/** Prepares to search a response. It is parsed when first needed. A search may take `limit` ms. */
export function openMarkup(source: MarkupSource, own: Namespaces, limit = 1000): SelectMarkup {
  const opened: { [Name in Language]?: Select | { problem: string } } = {}
  return (language, expression, namespaces = own) => {
    try {
      // Loaded outside the time limit: if loading were interrupted, the package would stay half loaded.
      loadPackages(language)
      const found = runBounded(limit, () => {
        const select = (opened[language] ??= openBody(language, source))
        return typeof select === 'function' ? select(expression, namespaces) : select
      })
      const problem = `\`${expression}\` ran longer than ${limit} ms (option \`limits.expression\`)`
      return found?.value ?? { problem }
    } catch (error) {
      return { problem: `\`${expression}\` could not be evaluated: ${(error as Error).message}` }
    }
  }
}

function openBody(language: Language, source: MarkupSource): Select | { problem: string } {
  const { text, contentType = 'of no type', kind: chosen } = source
  const kind = readKind(source)
  if (kind === undefined || (language === 'xpath' && kind === 'html')) {
    const wanted = language === 'xpath' ? 'XML' : 'HTML or XML'
    const other = kind === 'html' ? '; for HTML, use `css`' : ''
    const start = `\`${language}\` reads ${wanted}, but`
    if (kind === undefined && chosen !== undefined)
      return { problem: `${start} \`body_as: ${chosen}\` says that the response is not` }
    const way = `\`body_as: ${language === 'xpath' ? 'xml' : 'html'}\` beside \`request\` reads it anyway`
    return { problem: `${start} the response is ${contentType}${other}. ${way}` }
  }
  if (text.trim() === '') return { problem: `\`${language}\` has nothing to read: the body is empty` }
  try {
    return language === 'css' ? openCss(text, kind === 'xml') : openXpath(text)
  } catch (error) {
    return { problem: `The body could not be read as ${kind.toUpperCase()}: ${(error as Error).message}` }
  }
}

function readKind({ contentType = '', kind }: MarkupSource): 'xml' | 'html' | undefined {
  if (kind !== undefined) return kind === 'xml' || kind === 'html' ? kind : undefined
  if (/^\s*text\/html\s*(?:;|$)/i.test(contentType)) return 'html'
  return /^\s*(?:(?:application|text)\/xml|[^\s;]+\+xml)\s*(?:;|$)/i.test(contentType) ? 'xml' : undefined
}
