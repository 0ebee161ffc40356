import type { Answer, Call } from '@waystation/protocol/call/call.ts'
import { createContext, type FunctionComponent } from 'react'

/** The properties of a widget, which answers a call. While an answer is being sent, its card disables it. */
export type WidgetProps = { call: Call; answer: (answer: Answer) => void }
export type Widget = FunctionComponent<WidgetProps>

/** The place of a card. In a sheet, its buttons stay at the bottom, where a thumb reaches them. */
export type CardPlace = 'dock' | 'inline' | 'sheet'
export const CardPlaceContext = createContext<CardPlace>('inline')
