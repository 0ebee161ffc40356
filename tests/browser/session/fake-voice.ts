type Voice = { spoken: string[]; cancelled: number; speaking: boolean }
declare global {
  interface Window {
    voice: Voice
  }
}

/** Adds a voice to the browser that records the texts to speak and never finishes. */
export function addFakeVoice() {
  const voice: Voice = { spoken: [], cancelled: 0, speaking: false }
  const speech = Object.assign(new EventTarget(), {
    pending: false,
    getVoices: () => [{ name: 'Ana' }],
    speak: ({ text }: { text: string }) => {
      voice.spoken.push(text)
      voice.speaking = true
    },
    cancel: () => {
      voice.cancelled++
      voice.speaking = false
    }
  })
  Object.defineProperty(speech, 'speaking', { get: () => voice.speaking })
  Object.defineProperty(window, 'speechSynthesis', { value: speech })
  Object.defineProperty(window, 'SpeechSynthesisUtterance', {
    value: class {
      readonly text: string
      constructor(text: string) {
        this.text = text
      }
    }
  })
  window.voice = voice
}
