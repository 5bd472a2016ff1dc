import { runBounded } from '../../interpolation/expressions/bounded-run.ts'
import { openCss } from './css.ts'
import { loadPackages, type Language, type Namespaces, type Select } from './languages.ts'
import { openXpath } from './xpath.ts'

type MarkupSource = { text: string; contentType: string | undefined; kind?: string | undefined }

type Selection = ReturnType<Select> | { problem: string }

/** Searches an XML or HTML response. `namespaces`: by default those of the suite that sent the request. */
export type SelectMarkup = (language: Language, expression: string, namespaces?: Namespaces) => Selection

/** Prepares to search a response. It is parsed when first needed. A search may take `limit` ms. */
export function openMarkup(source: MarkupSource, own: Namespaces, limit: number): SelectMarkup {
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
    const [wanted, way] = language === 'xpath' ? ['XML', 'xml'] : ['HTML or XML', 'html']
    const what = chosen === undefined ? contentType : `read as ${chosen}`
    const start = `\`${language}\` reads ${wanted}, but the response is ${what}`
    const other = kind === 'html' ? 'Write `css`; for XHTML, ' : ''
    return { problem: `${start}. ${other}\`body_as: ${way}\` beside \`request\` reads it anyway` }
  }
  if (text.trim() === '') return { problem: `\`${language}\` has nothing to read: the body is empty` }
  try {
    return language === 'css' ? openCss(text, kind === 'xml') : openXpath(text)
  } catch (error) {
    // Further lines of the parser have an excerpt and a pointer.
    const message = (error as Error).message.split('\n', 2).join(' ')
    return { problem: `The body could not be read as ${kind.toUpperCase()}: ${message}` }
  }
}

function readKind({ contentType = '', kind }: MarkupSource): 'xml' | 'html' | undefined {
  if (kind !== undefined) return kind === 'xml' || kind === 'html' ? kind : undefined
  if (/^\s*text\/html\s*(?:;|$)/i.test(contentType)) return 'html'
  return /^\s*(?:(?:application|text)\/xml|[^\s;]+\+xml)\s*(?:;|$)/i.test(contentType) ? 'xml' : undefined
}
