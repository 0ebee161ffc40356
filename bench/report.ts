import type { Callbacks } from './callbacks.ts'
import type { FirstWords } from './first-word.ts'
import type { ReceivedWord } from './listen.ts'
import { allocator, type Memory } from './memory.ts'
import { type Spread, spreadOf } from './percentiles.ts'
import type { PluginFigures } from './plugins.ts'
import type { Step, Steps } from './steps.ts'
import type { StreamedPage } from './streamed-page.ts'
import type { Load, Served, Streamed } from './streaming.ts'
import type { Throughput } from './throughput.ts'
import type { Scrolled } from './transcript.ts'
import type { WakeTimes } from './wake.ts'
import type { Work } from './work.ts'

/** The results of one run of `npm run bench`. */
export type Measured = {
  wakes: WakeTimes
  steps: Steps
  work: Work
  /** Milliseconds of whole turns, of an agent with ten plugins and one without. */
  hooks: { none: number[]; ten: number[] }
  /** Milliseconds of whole turns of a step with twenty calls, and of a step with only the slowest call. */
  parallel: { one: number[]; twenty: number[] }
  served: Served
  throughput: { once: Throughput; inTurn: Throughput; firstWords: FirstWords }
  memory: Memory
  callbacks: { ours: Callbacks; bare: Callbacks }
  /** Milliseconds from a POST until the message arrived on the stream. */
  outOfBand: number[]
  /** Milliseconds from a provider's redirect until the first text of the resumed model. */
  connects: number[]
  plugins: PluginFigures
  scrolled: Scrolled
  streamed: StreamedPage
}

/** A row of the table: the measurement with its unit, the baseline, and the target. */
export type Row = {
  what: string
  unit: 'ms' | 'MB' | ''
  ours: Spread | number
  bare?: Spread | number
  /** The ratio of the p50s, or of the p95s or p99s if the target is about them. */
  ratio?: number
  of?: 'p95' | 'p99'
  floor?: { text: string; met: boolean }
  /** The measurement that it comes from. */
  from?: keyof Measured
}

/** Returns the table of one run. */
export function rowsOf({
  wakes,
  steps,
  work,
  hooks,
  parallel,
  served,
  throughput,
  memory,
  callbacks,
  outOfBand,
  connects,
  plugins,
  scrolled,
  streamed
}: Measured): Row[] {
  const bare = spreadOf(wakes.bare.called)
  const compare = (what: string, values: number[], baseline: Spread, maxRatio?: number): Row => {
    const ours = spreadOf(values)
    const ratio = ours.p50 / baseline.p50
    const floor =
      maxRatio === undefined ? {} : { floor: { text: `p50 ≤ ${maxRatio} ×`, met: ratio <= maxRatio } }
    return { what, unit: 'ms', ours, bare: baseline, ratio, ...floor }
  }
  const answerRow = compare('Answer accepted → model called again', wakes.answered, bare)
  const metAnswer = spreadOf(wakes.answered).p50 <= 30
  const from = (name: keyof Measured, rows: Row[]): Row[] => rows.map(row => ({ ...row, from: name }))
  const wakeRows = [
    compare(
      '`sendMessage` called → accepted (baseline: one `add_job`)',
      wakes.sent,
      spreadOf(wakes.bare.added)
    ),
    compare(
      'In one process, wake-up only: `sendMessage` called → accepted and taken (baseline: `add_job` called → handler called)',
      wakes.sent,
      spreadOf(wakes.bare.added.map((added, i) => added + (wakes.bare.called[i] ?? 0))),
      1.5
    ),
    compare('Through the queue: accepted → wake job called', wakes.queued.called, bare),
    compare('Through the queue, wake-up only: accepted → session taken', wakes.queued.claimed, bare, 2),
    compare('Through the queue, total: accepted → model called', wakes.queued.modelCalled, bare),
    compare('In one process, total: accepted (and taken) → model called', wakes.here, bare),
    { ...answerRow, floor: { text: 'p50 ≤ 30 ms', met: metAnswer } }
  ]
  const hookRow: Row = {
    ...compare(
      'Whole turn with ten plugins, each with every hook (baseline: no plugin)',
      hooks.ten,
      spreadOf(hooks.none)
    ),
    floor: {
      text: 'p50 ≤ 1 ms more for each plugin',
      met: spreadOf(hooks.ten).p50 - spreadOf(hooks.none).p50 <= 10
    }
  }
  const parallelRow = compare(
    'Whole turn with twenty parallel tools (baseline: the slowest tool alone, 0.5 s)',
    parallel.twenty,
    spreadOf(parallel.one),
    1.15
  )
  const startRow: Row = {
    what: 'Start of the server until it is healthy',
    unit: 'ms',
    ours: served.start
  }
  return [
    ...from('wakes', wakeRows),
    ...from('steps', stepRows(steps)),
    ...from('hooks', [hookRow]),
    ...from('parallel', [parallelRow]),
    ...from('served', served.loads.flatMap(streamRows)),
    ...from('callbacks', callbackRows(callbacks)),
    ...from('outOfBand', [outOfBandRow(outOfBand)]),
    ...from('connects', [connectsRow(connects)]),
    ...from('plugins', pluginRows(plugins)),
    ...from('scrolled', transcriptRows(scrolled)),
    ...from('streamed', streamedPageRows(streamed)),
    ...from('work', workRows(work)),
    ...from('throughput', throughputRows(throughput)),
    ...from('served', [startRow]),
    ...from('memory', memoryRows(memory))
  ]
}

const workRows = ({ statements, commits, node, postgres }: Work): Row[] => [
  { what: 'Statements of a turn of one step, with one follower', unit: '', ours: statements },
  { what: 'Committed transactions of this turn', unit: '', ours: commits },
  { what: 'CPU of this turn in Node', unit: 'ms', ours: node },
  ...(postgres === undefined
    ? []
    : [{ what: 'CPU of this turn in Postgres', unit: 'ms' as const, ours: postgres }])
]

function stepRows({ short, long }: Steps): Row[] {
  const row = (what: string, pick: (step: Step) => number, cold = false) => {
    const spread = (steps: Step[]) => spreadOf(steps.filter(step => step.cold === cold).map(pick))
    const [ours, bare] = [spread(long), spread(short)]
    return { what, unit: 'ms' as const, ours, bare, ratio: ours.p50 / bare.p50 }
  }
  const prompt = (steps: Step[]) => spreadOf(steps.map(step => step.prompt)).p50
  const shown = `${prompt(long)} and ${prompt(short)} messages`
  const whole = row(
    `Step at 10,000 messages (baseline: 10 messages; prompts of ${shown}): accepted → end received by a follower`,
    step => step.total
  )
  return [
    { ...whole, floor: { text: '≤ 1.2 ×', met: whole.ratio <= 1.2 } },
    row('The first part of the same step: accepted → model called', step => step.modelCalled),
    row(
      'First step in a process, 10,000 messages (baseline: 10 messages): accepted → model called',
      step => step.modelCalled,
      true
    )
  ]
}

function streamRows({ count, perSecond, ours, bare }: Load): Row[] {
  const all = ({ received }: Streamed) => received.flat()
  /** Returns the words from the time when the last stream started until the first stream ended. */
  const whileAllStream = ({ received }: Streamed) => {
    const from = Math.max(...received.map(words => words[0]?.sent ?? 0))
    const to = Math.min(...received.map(words => words.at(-1)?.sent ?? 0))
    return received.flat().filter(({ sent }) => sent >= from && sent <= to)
  }
  /** Returns no row if that period does not exist because the first stream ended before the last one started. */
  const row = (what: string, wordsIn: (streamed: Streamed) => ReceivedWord[]): Row[] => {
    const words = [wordsIn(ours), wordsIn(bare)]
    if (words.some(({ length }) => length === 0)) return []
    const [mine, theirs] = words.map(received => spreadOf(received.map(({ lag }) => lag))) as [Spread, Spread]
    const floor = { text: 'p99 ≤ 250 ms', met: mine.p99 <= 250 }
    return [{ what, unit: 'ms', ours: mine, bare: theirs, ratio: mine.p99 / theirs.p99, of: 'p99', floor }]
  }
  const share = (what: string, mine?: number, theirs?: number): Row[] => {
    if (mine === undefined) return []
    if (theirs === undefined) return [{ what, unit: 'ms', ours: mine }]
    return [{ what, unit: 'ms', ours: mine, bare: theirs, ratio: mine / theirs }]
  }
  const perCpu: Row[] = []
  if (ours.server !== undefined && ours.postgres !== undefined && bare.server !== undefined) {
    const [mine, theirs] = [1000 / (ours.server + ours.postgres), 1000 / bare.server]
    const ratio = mine / theirs
    perCpu.push({
      what: `Words per second of CPU time, Postgres included, while all ${count} stream`,
      unit: '',
      ours: Math.round(mine),
      bare: Math.round(theirs),
      ratio,
      floor: { text: '≥ 0.3 ×', met: ratio >= 0.3 }
    })
  }
  return [
    ...row(`${count} streams of ${perSecond} words/s: delay of each word, start and end included`, all),
    ...row(`The same while all ${count} stream`, whileAllStream),
    {
      what: `Commit of one row by another client during ${count} streams (baseline: during the bare streams)`,
      unit: 'ms',
      ours: spreadOf(ours.commits),
      bare: spreadOf(bare.commits)
    },
    ...share(`${count} streams: CPU of the server per word`, ours.server, bare.server),
    ...share(`${count} streams: CPU of Postgres per word`, ours.postgres),
    ...perCpu
  ]
}

function callbackRows({ ours, bare }: Measured['callbacks']): Row[] {
  const [mine, theirs] = [spreadOf(ours.paced), spreadOf(bare.paced)]
  const share = ours.rate / bare.rate
  return [
    {
      what: 'Replies of external agents, 64 senders: replies a second',
      unit: '',
      ours: Math.round(ours.rate),
      bare: Math.round(bare.rate),
      ratio: share,
      floor: { text: '≥ 500', met: ours.rate >= 500 }
    },
    {
      what: 'The same at 50 a second: sent → response received',
      unit: 'ms',
      ours: mine,
      bare: theirs,
      ratio: mine.p99 / theirs.p99,
      of: 'p99',
      floor: { text: 'p99 ≤ 100 ms', met: mine.p99 <= 100 }
    }
  ]
}

function outOfBandRow(lags: number[]): Row {
  const ours = spreadOf(lags)
  return {
    what: 'Out-of-band messages at 50 a second to 100 busy sessions: POST → received on the stream',
    unit: 'ms',
    ours,
    floor: { text: '≤ 20 / 60 / 100 ms', met: ours.p50 <= 20 && ours.p95 <= 60 && ours.p99 <= 100 }
  }
}

function transcriptRows({ opened, frames, seen }: Scrolled): Row[] {
  const [long, empty] = [spreadOf(opened.long), spreadOf(opened.empty)]
  const [all, bare] = [spreadOf(frames.long.durations), spreadOf(frames.bare.durations)]
  return [
    {
      what: 'Session of 10,000 messages in the browser: navigation → last message visible (baseline: an empty session)',
      unit: 'ms',
      ours: long,
      bare: empty,
      ratio: long.p50 / empty.p50,
      floor: { text: 'p50 ≤ 1,000 ms', met: long.p50 <= 1000 }
    },
    {
      what: `Frame time while scrolling through it (${seen.toLocaleString('en')} messages seen; baseline: a bare page with the same text)`,
      unit: 'ms',
      ours: all,
      bare,
      ratio: all.p95 / bare.p95,
      of: 'p95',
      floor: { text: 'p95 ≤ 20 ms', met: all.p95 <= 20 }
    },
    {
      what: 'CPU of the page’s main thread per frame',
      unit: 'ms',
      ours: frames.long.cpu,
      bare: frames.bare.cpu,
      ratio: frames.long.cpu / frames.bare.cpu
    }
  ]
}

function streamedPageRows({ ours, bare }: StreamedPage): Row[] {
  const [page, barePage] = [spreadOf(ours), spreadOf(bare)]
  return [
    {
      what: 'Main thread of a page per second, while 100 words/s stream into 200 messages (baseline: a bare page)',
      unit: 'ms',
      ours: page,
      bare: barePage,
      ratio: page.p50 / barePage.p50
    }
  ]
}

function throughputRows({ once, inTurn, firstWords }: Measured['throughput']): Row[] {
  const [first, bareFirst] = [spreadOf(firstWords.ours), spreadOf(firstWords.bare)]
  const cpu = (where: string, ours: number | undefined): Row[] =>
    ours === undefined ? [] : [{ what: `CPU of these turns in ${where}`, unit: 'ms', ours }]
  return [
    {
      what: '200 sessions at once, one message each: turns a second',
      unit: '',
      ours: Math.round(once.perSecond)
    },
    {
      what: '200 sessions at once, five messages each in turn: turns a second',
      unit: '',
      ours: Math.round(inTurn.perSecond)
    },
    ...cpu('the server process, HTTP included', inTurn.node),
    ...cpu('Postgres', inTurn.postgres),
    {
      what: 'Message to the idle server: POST → first word, without the model’s own time (baseline: the bare route)',
      unit: 'ms',
      ours: first,
      bare: bareFirst,
      ratio: first.p50 / bareFirst.p50,
      floor: { text: 'p50 / p99 ≤ 8 / 25 ms', met: first.p50 <= 8 && first.p99 <= 25 }
    }
  ]
}

function memoryRows({ rest, busy, later }: Memory): Row[] {
  const ratio = later !== undefined && rest !== undefined ? later / rest : undefined
  return [
    ...megabyteRow(`Memory of the server at rest, with ${allocator} and without Postgres`, rest, {
      floor: { text: '≤ 250 MB', met: (rest ?? 0) <= 250 }
    }),
    ...megabyteRow('The same right after 1,200 turns at once', busy),
    ...megabyteRow('The same 30 s later (baseline: at rest)', later, {
      ...(rest === undefined ? {} : { bare: rest }),
      ...(ratio === undefined ? {} : { ratio, floor: { text: '≤ 1.2 ×', met: ratio <= 1.2 } })
    })
  ]
}

const megabyteRow = (what: string, megabytes: number | undefined, more: Partial<Row> = {}): Row[] =>
  megabytes === undefined ? [] : [{ what, unit: 'MB', ours: megabytes, ...more }]

/**
 * Returns the row for connections: a user who has just approved at a provider should wait no longer than for a
 * page.
 */
function connectsRow(values: number[]): Row {
  const ours = spreadOf(values)
  return {
    what: 'Redirect of the provider → first word of the resumed model',
    unit: 'ms',
    ours,
    floor: { text: 'p50 ≤ 300 ms', met: ours.p50 <= 300 }
  }
}

function pluginRows({ calls, echoes }: PluginFigures): Row[] {
  const [ours, bare] = [spreadOf(calls.ours), spreadOf(calls.bare)]
  const [oursPerSecond, barePerSecond] = [spreadOf(echoes.ours).p50, spreadOf(echoes.bare).p50]
  return [
    {
      what: 'Tool of a plugin, called through the host (baseline: a bare gRPC client)',
      unit: 'ms',
      ours,
      bare,
      ratio: ours.p50 / bare.p50,
      floor: { text: 'p50 ≤ 3 ms more', met: ours.p50 - bare.p50 <= 3 }
    },
    {
      what: '5,000 messages at once to a plugin and back over a WebSocket: messages a second (baseline: gRPC stream)',
      unit: '',
      ours: Math.round(oursPerSecond),
      bare: Math.round(barePerSecond),
      ratio: oursPerSecond / barePerSecond,
      floor: { text: '≥ 0.5 ×', met: oursPerSecond / barePerSecond >= 0.5 }
    }
  ]
}
