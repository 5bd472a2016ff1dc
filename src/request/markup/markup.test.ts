import { createRequire } from 'node:module'
import { expect, test } from 'vitest'
import { openMarkup } from './markup.ts'

/** More than a busy machine needs, for what is not about the limit. */
const AMPLE = 50_000

function select(text: string, expression: string, namespaces = {}) {
  return openMarkup({ text, contentType: 'application/soap+xml' }, namespaces, AMPLE)('xpath', expression)
}

test('prefixes stand for what the suite says, whatever the document calls them', () => {
  const text = '<s:Envelope xmlns:s="urn:soap"><s:Body><x xmlns="urn:shop">7</x></s:Body></s:Envelope>'
  expect(select(text, '//soap:Body/shop:x', { soap: 'urn:soap', shop: 'urn:shop' })).toEqual({
    values: ['7'],
  })
  const hint = (what: string) => `: ${what} here, unlike in the response; see \`xml_namespaces\``
  for (const path of ['//x', "//x[@id='7']", "//x[contains(., '7')]", '//soap:Body/x', '/descendant::x'])
    expect(select(text, path, { soap: 'urn:soap' })).toEqual({
      values: [],
      hint: hint('`x` has no namespace'),
    })
  const feed = '<rss xmlns:dc="urn:dc"><dc:creator>Ann</dc:creator></rss>'
  expect(select(feed, '//creator')).toEqual({ values: [], hint: hint('`creator` has no namespace') })
  expect(select(text, '//soap:x', { soap: 'urn:soap' })).toEqual({
    values: [],
    hint: hint('`soap:x` has the namespace `urn:soap`'),
  })
  for (const [xml, path] of [
    [text, '//soap:y'],
    [text, "//*[local-name() = 'y']"],
    [text, '//comment()'],
    [text, '//soap:Body/@id | //soap:y[@soap:b = \'x\' and contains(., "y")] | /child::soap:y'],
    [text, "//@id[. = 'x']"],
    [text, "(//text())[contains(., 'none') or position() > 99]"],
    ['<a/>', '//x'],
  ] as const)
    expect(select(xml, path, { soap: 'urn:soap' })).toEqual({ values: [], hint: '' })
  expect(select(text, '//nobody:x')).toEqual({ problem: expect.stringContaining('prefix nobody') as string })
})

test('a name that misspells one of the document is told', () => {
  const text = '<s:r xmlns:s="urn:s"><s:fault title="x"/><text/></s:r>'
  const hint = (path: string) => select(text, path, { s: 'urn:s' })
  for (const [path, name] of [
    ['//s:Fault', 'fault'],
    ['//s:fualt/s:r', 'fault'],
    ['//s:r/@titel', 'title'],
  ])
    expect(hint(path as string)).toEqual({ values: [], hint: ` (did you mean \`${name}\`?)` })
  for (const path of ['//s:none', "//s:r[contains(., 'Fault')]", '//s:fault/s:r', '//s:r/@text'])
    expect(hint(path)).toEqual({ values: [], hint: '' })
  const css = (selector: string, kind: string, source = text) =>
    openMarkup({ text: source, contentType: 'text/xml', kind }, {}, AMPLE)('css', selector)
  expect(css('s\\:fualt', 'xml')).toEqual({ values: [], hint: '' })
  expect(css('fault', 'xml')).toEqual({
    values: [],
    hint: ': in the response, `fault` has a prefix; write `prefix\\:fault`',
  })
  expect(css('TABEL.error', 'html', '<table>')).toEqual({
    values: [],
    hint: ' (did you mean `table`?)',
  })
  expect(css('table.tabel:hover', 'html', '<table>')).toEqual({ values: [], hint: '' })
  const page = '<TABLE id=Total class="table wide"><tr class="row-1 flash"><td class=\'error\'>x</TABLE>'
  for (const [selector, mark] of [
    ['tr .eror', '.error'],
    ['.Flash', '.flash'],
    ['#totl', '#Total'],
    ['flash', '.flash'],
    ['#error', '.error'],
  ])
    expect(css(selector as string, 'html', page)).toEqual({
      values: [],
      hint: ` (did you mean \`${mark}\`?)`,
    })
  for (const selector of ['table .none', '.row-2', '.tables', '[name=flahs]', '.warning'])
    expect(css(selector, 'html', page)).toEqual({ values: [], hint: '' })
})

test('what is no markup, or that of another language, says how to read it all the same', () => {
  const read = (contentType: string | undefined, language: 'xpath' | 'css', kind?: string) =>
    openMarkup({ text: '<p>7</p>', contentType, kind }, {}, AMPLE)(language, language === 'css' ? 'p' : '/p')
  expect(read('text/html', 'xpath')).toEqual({
    problem:
      '`xpath` reads XML, but the response is text/html. Write `css`; for XHTML, `body_as: xml` beside `request` reads it anyway',
  })
  expect(read('text/plain', 'css')).toEqual({
    problem:
      '`css` reads HTML or XML, but the response is text/plain. `body_as: html` beside `request` reads it anyway',
  })
  expect(read(undefined, 'xpath')).toEqual({
    problem:
      '`xpath` reads XML, but the response is of no type. `body_as: xml` beside `request` reads it anyway',
  })
  expect(read('text/plain', 'xpath', 'xml')).toEqual({ values: ['7'] })
  expect(read('text/html', 'css')).toEqual({ values: ['7'] })
  const line = (contentType: string) =>
    openMarkup({ text: '<a><br>x</br></a>', contentType }, {}, AMPLE)('css', 'br')
  expect([line('text/xml'), line('text/html')]).toEqual([{ values: ['x'] }, { values: ['', ''] }])
})

test.each(['text/html', 'application/xml'])('an empty body of type %s proves nothing', (contentType) => {
  for (const text of ['', ' \n'])
    for (const language of contentType === 'text/html' ? (['css'] as const) : (['css', 'xpath'] as const))
      expect(
        openMarkup({ text, contentType }, {}, AMPLE)(language, language === 'css' ? 'p' : '//p'),
      ).toEqual({
        problem: `\`${language}\` has nothing to read: the body is empty`,
      })
})

test('names in XML are as they are written, those in HTML have no case', () => {
  const read = (contentType: string, selector: string) =>
    openMarkup(
      { text: '<rss><pubDate isoDay="1">x</pubDate></rss>', contentType },
      {},
      AMPLE,
    )('css', selector)
  for (const [type, selector, values] of [
    ['text/xml', 'pubDate', ['x']],
    ['text/xml', 'pubDate[isoDay="1"]', ['x']],
    ['text/xml', 'pubDate::attr(isoDay)', ['1']],
    ['text/html', 'pubDate[isoDay="1"]', ['x']],
    ['text/html', 'PUBDATE', ['x']],
    ['text/html', 'pubDate::attr(isoDay)', ['1']],
  ] as const)
    expect([selector, read(type, selector)]).toEqual([selector, { values }])
})

test('an expression that takes too long is stopped', () => {
  const text = `<a>${'<b>1</b>'.repeat(3000)}</a>`
  const read = (limit: number) => openMarkup({ text, contentType: 'text/xml' }, {}, limit)
  expect(read(50)('xpath', 'count(//b[. = //b])')).toEqual({
    problem: '`count(//b[. = //b])` ran longer than 50 ms (option `limits.expression`)',
  })
  expect(read(AMPLE)('xpath', 'count(//b)')).toEqual({ values: ['3000'] })
})

test('a document is its text, and a body that is to be read as something else is not looked into', () => {
  expect(select('<a> x <b/></a>', '/')).toEqual({ values: ['x'] })
  const source = { text: '<a/>', contentType: 'text/xml', kind: 'text' }
  expect(openMarkup(source, {}, AMPLE)('xpath', '/a')).toEqual({
    problem:
      '`xpath` reads XML, but the response is read as text. `body_as: xml` beside `request` reads it anyway',
  })
})

test('nothing outside is read, and a small document cannot become a large one', () => {
  const outside = '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>'
  const read = select(outside, 'string(/a)')
  expect(JSON.stringify(read)).not.toContain('root')
  const names = 'abcdefghij'.split('')
  const entities = names.map((name, index) => {
    const value = index === 0 ? 'ha'.repeat(50) : `&${names[index - 1]};`.repeat(10)
    return `<!ENTITY ${name} "${value}">`
  })
  const laughs = `<!DOCTYPE a [${entities.join('')}]><a>&j;</a>`
  expect(select(laughs, '/a')).toEqual({
    problem: expect.stringContaining('too much entity expansion') as string,
  })
})

test('documents that nest too deeply find nothing, and reading those that take too long is stopped', () => {
  const nest = (levels: number): string => '<a>'.repeat(levels) + '</a>'.repeat(levels)
  expect(select(nest(499), 'count(//a)')).toEqual({ values: ['499'] })
  const tooDeep = { problem: expect.stringMatching(/Maximum call stack size|ran longer than/) as string }
  const xml = openMarkup({ text: nest(50_000), contentType: 'text/xml' }, {}, 1000)
  expect(xml('xpath', '//a')).toEqual(tooDeep)
  const html = openMarkup({ text: '<div>'.repeat(50_000), contentType: 'text/html' }, {}, 1000)
  expect(html('css', 'div')).toEqual(tooDeep)
  // The parser compares each attribute with all others.
  const attributes = Array.from({ length: 20_000 }, (_, index) => `a${index}=""`).join(' ')
  const slow = openMarkup({ text: `<a ${attributes}/>`, contentType: 'text/xml' }, {}, 50)
  expect(slow('xpath', '/a')).toEqual({
    problem: '`/a` ran longer than 50 ms (option `limits.expression`)',
  })
})

test('what is wrong with a document or an expression is told with its place', () => {
  expect(select('<a><b></a>', '/a')).toEqual({
    problem: expect.stringMatching(
      /^The body could not be read as XML: .* At line 1, character \d+:$/,
    ) as string,
  })
  expect(select('<a/>', '1 + (')).toEqual({
    problem: expect.stringMatching(/^`1 \+ \(` could not be evaluated: /) as string,
  })
})

test('packages are loaded whole, however little time an expression has', () => {
  const { cache } = createRequire(import.meta.url)
  for (const path of Object.keys(cache)) if (/slimdom|fontoxpath/.test(path)) delete cache[path]
  const source = { text: '<a>7</a>', contentType: 'text/xml' }
  openMarkup(source, {}, 1)('xpath', '/a')
  expect(openMarkup(source, {}, AMPLE)('xpath', '/a')).toEqual({ values: ['7'] })
})
