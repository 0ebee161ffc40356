import type { ReactNode } from 'react'

const icon = (shape: ReactNode) =>
  function Icon() {
    return (
      <svg
        width="16"
        height="16"
        viewBox="0 0 16 16"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.5"
        aria-hidden="true"
        className="shrink-0"
      >
        {shape}
      </svg>
    )
  }

export const InspectorIcon = icon(<path d="M2.75 3.25h10.5v9.5H2.75zM9.75 3.25v9.5" />)
export const MoreIcon = icon(<path d="M3 8h.01M8 8h.01M13 8h.01" strokeWidth="2.5" strokeLinecap="round" />)
export const CloseIcon = icon(<path d="m4 4 8 8m0-8-8 8" />)
export const DownIcon = icon(<path d="M8 3v9.5M4 8.5l4 4 4-4" />)
export const ChevronIcon = icon(<path d="m5.5 3.5 4.5 4.5-4.5 4.5" />)
export const EnterIcon = icon(<path d="M13 3.5v5H3.5M6.5 5.5l-3 3 3 3" />)
export const ToIcon = icon(<path d="M2 8h11M9.5 4.5 13 8l-3.5 3.5" />)
