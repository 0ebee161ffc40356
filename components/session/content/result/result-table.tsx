import { useState } from 'react'
import { Button } from '#components/ui/button.tsx'
import { ScrollBox } from '#components/ui/scroll-box.tsx'
import { cellText, type Shape } from './shape-of.ts'

/** The number of rows that a table shows at first. */
const firstRows = 50

/** A list of objects as a table. Numbers are at the right, and long cells are cut. */
export function ResultTable({ rows, columns, hidden }: Extract<Shape, { kind: 'table' }>) {
  const [all, setAll] = useState(false)
  const numbers = new Set(
    columns.filter(name => rows.every(row => /^(number|undefined)$/.test(typeof row[name])))
  )
  const align = (name: string) => (numbers.has(name) ? 'text-right tabular-nums' : 'text-left')
  return (
    <>
      <ScrollBox label="Result" className="max-h-96">
        <table data-hook="result-table" className="min-w-full">
          <thead className="sticky top-0 bg-panel">
            <tr>
              {columns.map(name => (
                <th
                  key={name}
                  scope="col"
                  className={`px-3 py-1.5 font-semibold whitespace-nowrap ${align(name)}`}
                >
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {(all ? rows : rows.slice(0, firstRows)).map((row, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a result does not change
              <tr key={index} className="border-t">
                {columns.map(name => {
                  const text = cellText(row[name])
                  return (
                    <td
                      key={name}
                      title={text.length > 40 ? text : undefined}
                      className={`px-3 py-1.5 ${align(name)}`}
                    >
                      <span className="block max-w-[40ch] truncate">{text}</span>
                    </td>
                  )
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollBox>
      <p className="flex gap-3 pt-1 text-muted empty:hidden">
        {rows.length > firstRows && !all ? (
          <Button tone="quiet" data-hook="show-all-rows" onClick={() => setAll(true)}>
            Show all {rows.length} rows
          </Button>
        ) : null}
        {hidden === 0 ? null : `${hidden} more ${hidden === 1 ? 'column' : 'columns'} in the JSON`}
      </p>
    </>
  )
}
