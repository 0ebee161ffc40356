import fc from 'fast-check'

const letters = 'abz019 _-.,:=#/é{}[]()<>'.split('')
const escapes = [
  '\\n',
  '\\"',
  '\\\\',
  '\\t',
  '\\u00e9',
  '\\U0001F600',
  '$${',
  '%%{',
  '$.',
  '$$',
  '%.',
  '%%',
  'e\u0301',
  '😀'
]
const plain = fc.string({ unit: fc.constantFrom(...letters), maxLength: 8 })
const interpolation = fc.constantFrom(`\${1}`, `\${"in"}`, `\${true}`, `\${ "a\${2}b" }`, `\${\n3\n}`)
const string = fc
  .array(fc.oneof(plain, fc.constantFrom(...escapes), interpolation), { maxLength: 5 })
  .map(parts => `"${parts.join('')}"`)
const number = fc.oneof(
  fc.integer().map(String),
  fc.constantFrom('0', '007', '1.50', '-0.25', '1e3', '2E-2', '1.5e+10', '- 4')
)
const simple = fc.oneof(string, number, fc.constantFrom('true', 'false', 'null'))
const key = fc.oneof(
  fc.constantFrom('a', 'b-c', '_d', 'é', '__proto__', 'constructor', '"quoted key"', '"7"'),
  string
)
const blank = fc.constantFrom('', ' ', '\t', ' /* in */ ')
const lines = fc.constantFrom('\n', '\n\n', ' # after\n', ' // after\n', '\r\n')

const { value } = fc.letrec<{ value: string; list: string; map: string }>(tie => ({
  value: fc.oneof({ maxDepth: 3 }, { weight: 4, arbitrary: simple }, tie('list'), tie('map')),
  list: fc
    .tuple(
      fc.array(tie('value'), { maxLength: 4 }),
      fc.constantFrom(',', ', ', ',\n', '\n, '),
      fc.constantFrom('', ',', '\n')
    )
    .map(([items, separator, end]) => `[${items.join(separator)}${items.length === 0 ? '' : end}]`),
  map: fc
    .tuple(
      fc.array(fc.tuple(key, fc.constantFrom(' = ', ':', '='), tie('value')), { maxLength: 4 }),
      fc.constantFrom(', ', '\n', ',\n', ',\n\n')
    )
    .map(([entries, separator]) => `{${entries.map(entry => entry.join('')).join(separator)}}`)
}))

const heredoc = fc
  .tuple(
    fc.constantFrom('<<', '<<-'),
    fc.array(
      fc.tuple(
        fc.constantFrom('', '  ', '    ', '\t', ' '),
        fc.array(
          fc.oneof(
            plain,
            fc.constantFrom('$${', '%%{', '$.', '$$', '%.', '%%', '\\', '"', 'END x', '😀'),
            fc.constantFrom(`\${1}`, `\${"in"}`)
          ),
          {
            maxLength: 3
          }
        )
      ),
      { maxLength: 5 }
    ),
    fc.constantFrom('', '  ')
  )
  .map(
    ([open, rows, indent]) =>
      `${open}END\n${rows.map(([space, row]) => `${space}${row.join('')}\n`).join('')}${indent}END`
  )

const attribute = fc.tuple(blank, fc.oneof({ weight: 5, arbitrary: value }, heredoc))

/** Writes an item of a body. Its index there makes the name of an attribute unique. */
type WriteItem = (index: number) => string

const { body } = fc.letrec<{ body: string; item: WriteItem; block: WriteItem }>(tie => ({
  body: fc
    .array(fc.tuple(tie('item'), lines), { maxLength: 4 })
    .map(items =>
      items
        .map(
          ([item, end], index) =>
            `${item(index)}${end.startsWith(' ') && item(index).endsWith('END') ? '\n' : end}`
        )
        .join('')
    ),
  item: fc.oneof(
    { maxDepth: 3 },
    {
      weight: 4,
      arbitrary: attribute.map(
        ([space, text]): WriteItem =>
          index =>
            `a${index}${space}=${space}${text}`
      )
    },
    fc.constantFrom<WriteItem>(
      () => '# only',
      () => '/* only\n two */',
      () => ''
    ),
    tie('block')
  ),
  block: fc
    .tuple(
      fc.constantFrom('b0 ', 'b0\t', 'b1 "x" ', 'b1 bare ', 'b1 "é\\n" ', 'b2 "x" y', 'b2"x""z"'),
      fc.oneof(
        tie('body').map(inside => `\n${inside}`),
        value.map(inside => ` only = ${inside} `),
        fc.constant('')
      )
    )
    .map(
      ([head, inside]): WriteItem =>
        () =>
          `${head}{${inside}}`
    )
}))

/**
 * Generates HCL texts, most of them valid, with attributes, blocks, comments and values of all kinds. All blocks of a
 * type have the same number of labels, because the JSON form of HashiCorp's parser requires it.
 */
export const document = body
