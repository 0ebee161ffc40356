type Common = {
  /** Unique in the view. Default: made from the type and the position. */
  name?: string
}
/** The color of a badge or an alert. */
export type Tone = 'plain' | 'good' | 'warn' | 'bad'
type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'
type Cell = string | number | boolean

export type Stat = { label: string; value: string | number }

/** A field of a form. */
export type Field = {
  type: 'string' | 'number' | 'bool' | 'text'
  label?: string
  description?: string
  placeholder?: string
  default?: string | number | boolean
  required?: boolean
  options?: string[]
  rows?: number
}

/** A component of a view. See the table in docs/plugins-grpc.md#views. */
export type ViewComponent = Common &
  (
    | { type: 'text'; content: string; style?: 'body' | 'heading' | 'muted' | 'code' }
    | { type: 'section'; title?: string; components: ViewComponent[] }
    | { type: 'stat-group'; stats: Record<string, Stat> }
    | {
        type: 'form'
        action: string
        method?: Method
        title?: string
        submit_label?: string
        fields: Record<string, Field>
      }
    | { type: 'chat'; placeholder?: string; button_label?: string; stream?: string }
    | { type: 'markdown' | 'code'; content: string }
    | { type: 'table'; columns: string[]; rows: Cell[][]; caption?: string }
    | { type: 'list'; items: string[]; ordered?: boolean }
    | { type: 'card'; title?: string; content?: string; components?: ViewComponent[] }
    | { type: 'grid'; columns?: number; components: ViewComponent[] }
    | { type: 'button'; label: string; action: string; method?: Method }
    | { type: 'link'; label: string; href: string }
    | { type: 'badge'; label: string; tone?: Tone }
    | { type: 'alert'; title?: string; content?: string; tone?: Tone }
    | { type: 'progress'; label?: string; value: number; max?: number }
    | { type: 'chart'; title?: string; kind: 'bar' | 'line'; labels: string[]; values: number[] }
    | { type: 'image'; src: string; alt: string }
    | { type: 'divider' }
  )
