/**
 * Environment variables of the server process. glibc reads them when a process starts, so the process that starts the
 * server must set them. The Dockerfile and docs/deploying.md repeat them. Other C libraries ignore them.
 */
export const memorySettings = {
  // All threads share one heap. By default, each has its own and does not return most of what a burst of work used.
  MALLOC_ARENA_MAX: '1',
  // Larger blocks have their own mapping, which is returned when they are freed, and the heap's end is returned above
  // the same size. These are glibc's initial values. Without a setting, both grow with a burst and never shrink.
  MALLOC_MMAP_THRESHOLD_: '131072',
  MALLOC_TRIM_THRESHOLD_: '131072'
}
