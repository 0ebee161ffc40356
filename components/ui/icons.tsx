import type { ReactNode } from 'react'

/** Returns the component of an icon, 16 px wide, in the color of the text. */
export const icon = (shape: ReactNode) =>
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

export const KitIcon = icon(<path d="M2.75 5.75h10.5v7.5H2.75zM5.75 5.5V3.25h4.5V5.5M2.75 9h10.5" />)
export const FullKitIcon = icon(
  <path d="M2.75 5.75h10.5v7.5H2.75zM5.75 5.5V3.25h4.5V5.5" fill="currentColor" />
)
export const InspectorIcon = icon(<path d="M2.75 3.25h10.5v9.5H2.75zM9.75 3.25v9.5" />)
export const MoreIcon = icon(<path d="M3 8h.01M8 8h.01M13 8h.01" strokeWidth="2.5" strokeLinecap="round" />)
export const FindIcon = icon(
  <path d="M7 11.25a4.25 4.25 0 1 0 0-8.5 4.25 4.25 0 0 0 0 8.5zM10.25 10.25l3.25 3.25" />
)
export const CheckIcon = icon(<path d="m3 8.5 3.25 3.25L13 4.75" />)
export const CloseIcon = icon(<path d="m4 4 8 8m0-8-8 8" />)
export const DownIcon = icon(<path d="M8 3v9.5M4 8.5l4 4 4-4" />)
export const ChevronIcon = icon(<path d="m5.5 3.5 4.5 4.5-4.5 4.5" />)
export const CopyIcon = icon(<path d="M5.75 5.75h7.5v7.5h-7.5zM10.25 5.5V2.75h-7.5v7.5H5.5" />)
export const RerunIcon = icon(<path d="M13 8a5 5 0 1 1-1.6-3.7M13 2.5v3h-3" />)
export const EditIcon = icon(<path d="m3 13 .7-3L10.5 3.2l2.3 2.3L6 12.3zM9 4.7 11.3 7" />)
export const BranchIcon = icon(<path d="M4.5 2.5v11M4.5 10c0-3 7-1.5 7-5.5M9 6l2.5-2.5L14 6" />)
export const CompareIcon = icon(<path d="M2.75 3.25h4v9.5h-4zM9.25 3.25h4v9.5h-4z" />)
export const DeleteIcon = icon(<path d="M3 4.5h10M6.25 4.5v-2h3.5v2M4.25 4.5l.6 9h6.3l.6-9" />)
export const EnterIcon = icon(<path d="M13 3.5v5H3.5M6.5 5.5l-3 3 3 3" />)
export const ToIcon = icon(<path d="M2 8h11M9.5 4.5 13 8l-3.5 3.5" />)
export const BellIcon = icon(
  <path d="M8 2.25A3.75 3.75 0 0 0 4.25 6c0 3-1.5 3.75-1.5 5.25h10.5c0-1.5-1.5-2.25-1.5-5.25A3.75 3.75 0 0 0 8 2.25ZM6.75 12.5a1.3 1.3 0 0 0 2.5 0" />
)
export const ClipIcon = icon(
  <path d="m13 7.2-5.3 5.3a3.2 3.2 0 0 1-4.5-4.5l5.6-5.6a2.1 2.1 0 0 1 3 3L6.3 10.9a1 1 0 0 1-1.5-1.4L9.7 4.6" />
)
export const FileIcon = icon(<path d="M3.75 2.25h5.5l3 3v8.5h-8.5zM9 2.5v3h3" />)
export const DoneIcon = icon(<path d="M2.75 2.75h10.5v10.5H2.75zM5.25 8.25l2 2 3.75-4.5" />)
export const ToDoIcon = icon(<path d="M2.75 2.75h10.5v10.5H2.75z" />)
export const DownloadIcon = icon(<path d="M8 2.5v7.5M4.75 7 8 10.25 11.25 7M2.75 13.25h10.5" />)
