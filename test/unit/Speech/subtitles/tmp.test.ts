import { wordTimes, type SpokenWord } from '../../../../emulator/audio/wordTimes';
import { splitSentences, splitText } from '../../../../nodes/Speech/longText/splitText';
import { cuesOf, type SpokenPart } from '../../../../nodes/Speech/subtitles/cues';
import { longText, SPOKEN_TEXTS } from '../../../fixtures/spokenTexts';
const letters = (text: string) => [...text.replace(/[^\p{L}\p{N}\p{M}]/gu, '')];
function errorsOf(parts: string[], voice: string) {
	let at = 0;
	const spoken: SpokenPart[] = [];
	const words: SpokenWord[] = [];
	const firsts = new Set<SpokenWord>();
	for (const text of parts) {
		const { seconds, words: own } = wordTimes({ text, voice, speed: 1 });
		const silences = [];
		let last = at;
		for (const word of own) {
			const placed = { ...word, startSeconds: at + word.startSeconds, endSeconds: at + word.endSeconds };
			if (word === own[0]) firsts.add(placed);
			if (placed.startSeconds - last > 0.06)
				silences.push({ startSeconds: last, endSeconds: placed.startSeconds });
			last = placed.endSeconds;
			words.push(...letters(word.text).map(() => placed));
		}
		silences.push({ startSeconds: last, endSeconds: at + seconds });
		spoken.push({ text, startSeconds: at, endSeconds: at + seconds, story: 0, silences });
		at += seconds;
	}
	let index = 0;
	const t0 = process.hrtime.bigint();
	const cues = cuesOf(spoken);
	const ms = Number(process.hrtime.bigint() - t0) / 1e6;
	const errors = cues.map(({ startSeconds, lines }) => {
		const first = words[index];
		index += letters(lines.join('')).length;
		return Math.abs(startSeconds - first.startSeconds);
	});
	return { errors: errors.sort((one, other) => one - other), ms };
}
const q = (s: number[], f: number) => s[Math.min(s.length - 1, Math.floor(s.length * f))].toFixed(3);
it('x', () => {
	const out: string[] = [];
	for (const [language, text] of Object.entries(SPOKEN_TEXTS)) {
		for (const voice of ['Anders', 'Vera', 'Quill']) {
			const a = errorsOf(splitSentences(text, 4096), voice);
			const b = errorsOf(splitText(longText(text, 3800), 4096), voice);
			out.push(
				[
					language,
					voice,
					'sent',
					a.errors.length,
					q(a.errors, 0.5),
					q(a.errors, 0.75),
					q(a.errors, 0.9),
					q(a.errors, 1),
					'long',
					b.errors.length,
					q(b.errors, 0.5),
					q(b.errors, 0.75),
					q(b.errors, 0.9),
					q(b.errors, 1),
					b.ms.toFixed(0),
				].join(' '),
			);
		}
	}
	console.log(out.join('\n'));
});
