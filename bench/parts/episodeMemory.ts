import type { Emulator } from '../../emulator';
import { measure, type Subject } from '../measure';
import { peakMemory, type Part } from '../report';
import { bareNode, ourNode, picked } from '../task';

const ROUNDS = 5;
const MAX_CONCURRENCY = 5;
const STORIES = 60;
const STORY_SECONDS = 120;
const FORMATS = ['mp3', 'opus', 'wav'];
const SENTENCE = 'This is the news of the day, as it is read on the radio. ';
/** The emulator speaks 14 characters per second. */
const STORY = SENTENCE.repeat(Math.ceil((14 * STORY_SECONDS) / SENTENCE.length));

const common = { model: picked('svc-tts'), text: '={{ $json.prompt }}', voice: picked('Anders') };
const stories = (count: number) =>
	Array.from({ length: count }, (_, index) => ({ prompt: `${index}. ${STORY}` }));

const joined = (format: string): Subject => ({
	name: `Join Items, ${format}`,
	items: stories,
	node: () =>
		ourNode('speech', {
			...common,
			operation: 'joinItems',
			source: 'text',
			chapterTitle: '={{ "Story " + $itemIndex }}',
			format,
			pauseSeconds: 0.7,
			ifItemFails: 'stop',
			subtitles: 'both',
			tags: { title: 'Two hours' },
			limits: { parallelRequests: MAX_CONCURRENCY },
		}),
});

/** A few lines that stream each answer into n8n's binary store, and join nothing. */
const bare: Subject = {
	name: 'Bare helper, streamed, wav',
	items: stories,
	node: (gateway) => bareNode(gateway, '/v1/audio/speech', 'speech', MAX_CONCURRENCY),
};

/** The memory that an episode of two hours needs, next to that of a bare loop that only saves its stories. */
export async function measureEpisodeMemory(emulator: Emulator): Promise<Part> {
	const job = { rules: {}, count: STORIES, warmUp: 2, rounds: ROUNDS, isAboutMemory: true };
	const results = await measure(emulator, job, [...FORMATS.map(joined), bare]);
	for (const [name, runs] of results) {
		const items = name.startsWith('Join') ? 1 : STORIES;
		for (const { succeeded, stopped = '' } of runs) {
			if (succeeded < items) throw new Error(`${name}: ${succeeded} of ${items} items. ${stopped}`);
		}
	}
	return {
		title: 'An episode of two hours',
		about: `Peak memory above idle while ${STORIES} stories of ${STORY_SECONDS / 60} minutes are spoken, ${MAX_CONCURRENCY} at a time, and joined into one file (29 MB as MP3, 22 MB as Opus, 345 MB as WAV). The bare loop only saves the stories. Medians of ${ROUNDS} interleaved runs.`,
		rows: [...results].map(([node, runs]) => ({ node, ...peakMemory(runs) })),
	};
}
