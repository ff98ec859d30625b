import type { SpeechRecord } from '../../../emulator';
import { startEmulator, type Emulator } from '../../../emulator';
import { SPOKEN_TEXTS } from '../../fixtures/spokenTexts';
import { fileBytes, oneNode, runWorkflow } from '../engine/runWorkflow';
import { cueErrors, type CueErrors, type TimedText, wordsInFile } from './wordTimes';

let emulator: Emulator;
beforeAll(async () => {
	emulator = await startEmulator();
});
afterAll(async () => await emulator.close());
beforeEach(() => {
	emulator.behaviour.reset();
	emulator.behaviour.set('POST /v1/audio/speech', { speech: { timing: 'words' } });
	emulator.journal.clear();
});

const LANGUAGES = Object.keys(SPOKEN_TEXTS);
const STORIES = LANGUAGES.map((language, index) => ({
	json: {
		text: SPOKEN_TEXTS[language as keyof typeof SPOKEN_TEXTS],
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
async function errorsByLanguage(format: string, eachSentence: boolean): Promise<Map<string, CueErrors>> {
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
	const { items, error } = await runWorkflow(oneNode('speech', parameters), { credential, input: STORIES });
	expect(error).toBeUndefined();
	const cues = cuesOf((await fileBytes(items[0].binary!.data_vtt)).toString());
	const places = items[0].json.stories as Array<{ startSeconds: number; endSeconds: number }>;
	const parts = spokenParts();
	const errors = places.map((place, story) => {
		let atSeconds = place.startSeconds;
		let length = 0;
		const own: Array<{ speech: SpeechRecord; atSeconds: number }> = [];
		while (length < STORIES[story].json.text.replace(/\s/g, '').length) {
			const speech = parts.shift()!;
			own.push({ speech, atSeconds });
			atSeconds += speech.seconds;
			length += speech.text.replace(/\s/g, '').length;
		}
		const shown = cues.filter(
			({ startSeconds }) => startSeconds >= place.startSeconds - 0.01 && startSeconds < place.endSeconds,
		);
		return [LANGUAGES[story], cueErrors(shown, wordsInFile(own))] as const;
	});
	return new Map(errors);
}

it.each(
	['mp3', 'opus', 'wav'].flatMap(
		(format) =>
			[
				[format, true],
				[format, false],
			] as const,
	),
)(
	'x %s %s',
	async (format, each) => {
		const errors = await errorsByLanguage(format, each);
		console.log(
			format,
			each,
			[...errors]
				.map(
					([l, { starts, ends }]) =>
						`${l} ${starts.count} ${starts.median.toFixed(3)} ${starts.maximum.toFixed(3)}  ends ${ends.count} ${ends.median.toFixed(3)} ${ends.maximum.toFixed(3)}`,
				)
				.join('\n'),
		);
	},
	60000,
);
