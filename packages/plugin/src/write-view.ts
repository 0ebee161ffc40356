import type { ViewComponent } from './components.ts'
import { hclBlock } from './hcl.ts'

/** Writes components as the HCL of RenderView. */
export const writeView = (components: readonly ViewComponent[]): string =>
  components.map((component, index) => writeComponent(component, `${index + 1}`)).join('\n')

/** `position` makes the default name of a component unique, for example `2-1` for the first one in the second. */
function writeComponent(component: ViewComponent, position: string): string {
  const { name = `${component.type}-${position}`, ...rest } = component
  const { components = [], stats = {}, fields = {}, ...attributes } = rest as Containers
  return hclBlock('component', name, attributes, [
    ...Object.entries(stats).map(([id, stat]) => hclBlock('stat', id, stat)),
    ...Object.entries(fields).map(([id, field]) => hclBlock('field', id, field)),
    ...components.map((child, index) => writeComponent(child, `${position}-${index + 1}`))
  ])
}

type Containers = {
  components?: ViewComponent[]
  stats?: Record<string, object & Record<string, unknown>>
  fields?: Record<string, object & Record<string, unknown>>
}
