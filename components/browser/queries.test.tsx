import { renderToString } from 'react-dom/server'
import { expect, test, vi } from 'vitest'
import { QueriesProvider, useRead } from './queries.tsx'

function Reader({ first }: { first?: string }) {
  const { data, isFetching } = useRead({ queryKey: ['a'], queryFn: () => 'loaded', first })
  return <p>{`${data ?? 'loading'}${isFetching && first !== undefined ? '…' : ''}`}</p>
}

const html = (first?: string) =>
  renderToString(
    <QueriesProvider>
      <Reader {...(first === undefined ? {} : { first })} />
    </QueriesProvider>
  )

test('on a server, a component that reads data does not ask for the time, so that Next.js can prerender it', () => {
  const clock = vi.spyOn(Date, 'now')
  try {
    expect(html()).toBe('<p>loading</p>')
    expect(clock).not.toHaveBeenCalled()
  } finally {
    clock.mockRestore()
  }
})

test('a result that the server rendered is not read again at once, on the server as in the browser', () => {
  expect(html('rendered')).toBe('<p>rendered</p>')
})
