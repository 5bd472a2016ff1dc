import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The root of the repository. */
export const repository = join(import.meta.dirname, '../../..')

/** An example of a page. `file` is the name in the comment on its first line. */
export type Example = { page: string; line: number; language: string; code: string; file: string | undefined }

/** A page for users, with its path from the root of the repository. */
export type Page = { name: string; text: string; examples: readonly Example[] }

/** All pages: the README and everything below `docs`. */
export const pages: readonly Page[] = [
  'README.md',
  ...globSync('docs/**/*.md', { cwd: repository }).toSorted(),
].map((name) => {
  const text = readFileSync(join(repository, name), 'utf8')
  return { name, text, examples: readExamples(name, text) }
})

/** The text of a page. */
export function readPage(page: string): string {
  return pages.find(({ name }) => name === page)?.text ?? ''
}

/** The examples in one language, from all pages or from one. */
export function listExamples(language: string, page?: string): Example[] {
  return pages
    .filter(({ name }) => page === undefined || name === page)
    .flatMap(({ examples }) => examples.filter((example) => example.language === language))
}

function readExamples(page: string, text: string): Example[] {
  return [...text.matchAll(/^```(?<language>\S*)\n(?<code>.*?)^```$/gms)].map(({ index, groups }) => {
    const { language = '', code = '' } = groups ?? {}
    const file = /^(?:#|\/\/) (?<file>[\w./-]+\.\w+|\.gitlab-ci\.yml|Jenkinsfile)\n/.exec(code)?.groups?.[
      'file'
    ]
    const line = text.slice(0, index).split('\n').length
    return { page, line, language, code, file }
  })
}
