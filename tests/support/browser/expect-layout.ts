import { expect, type Page } from '@playwright/test'

type Fault = { fault: string; at: string }

/** The widths at which the pages are designed: a phone, a laptop and a large screen, in px. */
export const widths = [390, 1280, 1920] as const

/**
 * Expects the structure of a designed page: nothing sticks out of the window, no two controls overlap, all text has
 * at least 13 px, and there is one first-level heading. If the page has a frame, its header and content are one
 * centered column of at most 1,120 px.
 */
export async function expectLayout(page: Page, name: string): Promise<void> {
  await expect.poll(() => page.evaluate(findFaults), { message: name, timeout: 10_000 }).toEqual([])
}

/** Runs in the page. Returns what is wrong with its layout. */
function findFaults(): Fault[] {
  const faults: Fault[] = []
  const nameOf = (element: Element) => element.outerHTML.slice(0, 120)
  const report = (fault: string, element: Element) => faults.push({ fault, at: nameOf(element) })
  const isVisible = (element: Element) =>
    element.checkVisibility({ opacityProperty: true, visibilityProperty: true })
  /** Returns the visible part of an element, cut by the boxes that scroll or hide their overflow. */
  const boxOf = (element: Element) => {
    let { left, top, right, bottom } = element.getBoundingClientRect()
    for (let box = element.parentElement; box !== null; box = box.parentElement) {
      if (getComputedStyle(box).overflow === 'visible') continue
      const edge = box.getBoundingClientRect()
      left = Math.max(left, edge.left)
      top = Math.max(top, edge.top)
      right = Math.min(right, edge.right)
      bottom = Math.min(bottom, edge.bottom)
    }
    return { left, top, right, bottom, isEmpty: right - left < 4 || bottom - top < 4 }
  }
  /** Tells if an element stays in place while the content below it scrolls. */
  const isFloating = (element: Element | null): boolean =>
    element !== null &&
    (/fixed|sticky/.test(getComputedStyle(element).position) || isFloating(element.parentElement))
  const dialog = [...document.querySelectorAll('dialog[open]')].at(-1)
  const root = dialog ?? document.body

  if (document.documentElement.scrollWidth > innerWidth) report('scrolls sideways', document.body)
  const headings = [...document.querySelectorAll('h1')].filter(isVisible)
  if (headings.length !== 1) report(`${headings.length} first-level headings`, document.body)

  const controls = [...root.querySelectorAll('a[href], button, input, select, textarea, summary')]
    .filter(isVisible)
    .flatMap(element => {
      const box = boxOf(element)
      return box.isEmpty || isFloating(element) || getComputedStyle(element).opacity === '0'
        ? []
        : [{ element, box }]
    })
  for (const { element, box } of controls)
    if (box.left < -1 || box.right > innerWidth + 1) report('sticks out of the window', element)
  for (const [index, one] of controls.entries())
    for (const other of controls.slice(index + 1)) {
      if (one.element.contains(other.element) || other.element.contains(one.element)) continue
      const width = Math.min(one.box.right, other.box.right) - Math.max(one.box.left, other.box.left)
      const height = Math.min(one.box.bottom, other.box.bottom) - Math.max(one.box.top, other.box.top)
      // A control whose middle something else covers is below it, such as below a sticky header.
      const isOnTop = ({ element, box }: typeof one) => {
        const hit = document.elementFromPoint((box.left + box.right) / 2, (box.top + box.bottom) / 2)
        return hit !== null && (element.contains(hit) || hit.contains(element))
      }
      if (width > 2 && height > 2 && isOnTop(one) && isOnTop(other))
        report(`overlaps ${nameOf(other.element)}`, one.element)
    }

  const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
  const small = new Set<Element>()
  while (texts.nextNode() !== null) {
    const element = texts.currentNode.parentElement
    if (element === null || texts.currentNode.textContent?.trim() === '' || !isVisible(element)) continue
    if (element.closest('svg, script, style, [aria-hidden="true"]') !== null) continue
    if (Number.parseFloat(getComputedStyle(element).fontSize) < 13) small.add(element)
  }
  for (const element of small) report('text below 13 px', element)

  const columns = ['page-header', 'page-content'].flatMap(hook => [
    ...document.querySelectorAll(`[data-hook="${hook}"]`)
  ])
  const main = document.querySelector('#main')?.getBoundingClientRect()
  const [header, content] = columns.map(column => column.getBoundingClientRect())
  if (main === undefined || header === undefined || content === undefined) return faults
  // On a phone, the list takes the place of the page, and only screen readers have its title.
  if (main.width <= 1) return faults
  if (Math.abs(header.left - content.left) > 1 || Math.abs(header.right - content.right) > 1)
    report('header and content are not aligned', columns[0]!)
  // The column has a padding of up to 32 px on each side.
  if (content.width > 1184) report('wider than 1,120 px', columns[1]!)
  // A scroll bar can take up to 16 px.
  if (Math.abs(content.left - main.left - (main.right - content.right)) > 16)
    report('not centered', columns[1]!)
  return faults
}
