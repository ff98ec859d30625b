import type { SpeechRecord } from '../../../emulator';
import type { Emulator } from '../../../emulator';
import { SPOKEN_TEXTS } from '../../fixtures/spokenTexts';
import { fileBytes, oneNode, runWorkflow } from '../engine/runWorkflow';
import { startStrictEmulator } from '../engine/strictEmulator';
import { cueErrors, type CueErrors, type TimedText, wordsInFile } from './wordTimes';

let emulator: Emulator;
beforeAll(async () => {
	emulator = await startStrictEmulator();
});
afterAll(async () => await emulator.close());
beforeEach(() => {
	emulator.behaviour.reset();
	emulator.behaviour.set('POST /v1/audio/speech', { speech: { timing: 'words' } });
	emulator.journal.clear();
});

const LANGUAGES = Object.keys(SPOKEN_TEXTS);
const storiesIn = (languages: string[]) =>
	languages.map((language, index) => ({
		json: {
			text: SPOKEN_TEXTS[language],
			voice: ['Anders', 'Beatrix', 'Quill'][index % 3],
		},
	}));

function secondsOf(time: string): number {
	const [hours, minutes, seconds] = time.split(':').map(Number);
	return 3600 * hours + 60 * minutes + seconds;
}

function cuesOf(webVtt: string): TimedText[] {
	return [...webVtt.matchAll(/^(\S+) --> (\S+)\n((?:.+\n)+)/gm)].map(([, start, end, text]) => ({
		startSeconds: secondsOf(start),
		endSeconds: secondsOf(end),
		text: text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&'),
	}));
}

/** What has been spoken, in the order in which it was asked for. */
function spokenParts(): SpeechRecord[] {
	return emulator.journal.entries().flatMap(({ speech }) => speech ?? []);
}

/** Joins a story in each language, and compares its cues with what the emulator knows of its words. */
async function errorsByLanguage(
	format: string,
	eachSentence: boolean,
	languages: string[],
): Promise<Map<string, CueErrors>> {
	const input = storiesIn(languages);
	const parameters = {
		operation: 'joinItems',
		source: 'text',
		model: { __rl: true, mode: 'id', value: 'svc-tts' },
		text: '={{ $json.text }}',
		voice: { __rl: true, mode: 'id', value: '={{ $json.voice }}' },
		chapterTitle: '',
		format,
		pauseSeconds: 0.7,
		ifItemFails: 'stop',
		subtitles: 'vtt',
		tags: {},
		binaryPropertyName: 'data',
		options: { eachSentence, maxConcurrency: 1 },
	};
	const credential = { baseUrl: emulator.url, apiKey: emulator.apiKey };
	const { items, error } = await runWorkflow(oneNode('speech', parameters), { credential, input });
	expect(error).toBeUndefined();
	const cues = cuesOf((await fileBytes(items[0].binary!.data_vtt)).toString());
	const places = items[0].json.stories as Array<{ startSeconds: number; endSeconds: number }>;
	const parts = spokenParts();
	const errors = places.map((place, story) => {
		let atSeconds = place.startSeconds;
		let length = 0;
		const own: Array<{ speech: SpeechRecord; atSeconds: number }> = [];
		while (length < input[story].json.text.replace(/\s/g, '').length) {
			const speech = parts.shift()!;
			own.push({ speech, atSeconds });
			atSeconds += speech.seconds;
			length += speech.text.replace(/\s/g, '').length;
		}
		const shown = cues.filter(
			({ startSeconds }) => startSeconds >= place.startSeconds - 0.01 && startSeconds < place.endSeconds,
		);
		return [languages[story], cueErrors(shown, wordsInFile(own))] as const;
	});
	return new Map(errors);
}

/** Scripts that differ in how words, sentences, and pauses are written. */
const FEW = ['English', 'Chinese', 'Arabic', 'Thai'];

describe.each([
	['mp3', LANGUAGES],
	['opus', FEW],
	['wav', FEW],
])('The subtitles of a %s file', (format, languages) => {
	it.each([
		['each sentence separately', true],
		['long parts', false],
	])(
		'begin within 50 ms of their words (median) in each script, when the gateway speaks %s',
		async (_parts, eachSentence) => {
			const errors = await errorsByLanguage(format, eachSentence, languages);
			expect([...errors.keys()]).toEqual(languages);
			for (const { starts } of errors.values()) {
				expect(starts.count).toBeGreaterThan(12);
				expect(starts.median).toBeLessThan(0.05);
				expect(starts.maximum).toBeLessThan(0.5);
			}
		},
	);
});
