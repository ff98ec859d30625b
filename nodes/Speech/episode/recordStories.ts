import { cancelledFailure } from '../../shared/errors/errorMessages';
import { GatewayFailure, toFailure } from '../../shared/errors/gatewayFailure';
import type { Paid } from '../../shared/run/payments';
import { fileNameFrom, firstWords } from '../../shared/files/storeFile';
import { runPool } from '../../shared/run/pool';
import { type AudioSource, partFails } from '../audio/joiner';
import { firstSentence } from '../longText/splitText';
import { speak, storeAudio, STORED_AUDIO, storedAudio, type StoredAudio } from '../speak';
import type { Story } from './story';

/** A part of a story that has been spoken. */
export interface RecordedPart {
	/** Its number in the story, from 1. */
	number: number;
	/** Empty for an audio file without a transcript. */
	text: string;
	source: AudioSource;
	/** Undefined for an audio file of the input. */
	audio?: StoredAudio;
	/** Lets n8n's Retry ask for it again, because it cannot be used. */
	useless?: Paid<unknown>['useless'];
}

/** What became of a story. */
export interface Recording {
	story: Story;
	/** The parts that have been spoken, in order. */
	parts: RecordedPart[];
	/** Undefined when all parts have been spoken. */
	failure: GatewayFailure | undefined;
}

/** A text that is one request. */
interface Job {
	story: number;
	part: number;
}

/**
 * Speaks all stories, as many requests at once as the run may send. Each part is streamed into n8n's binary store.
 *
 * @param stopAtFailure whether no further request is sent after one has failed; those in progress are finished
 */
export async function recordStories(stories: Story[], stopAtFailure: boolean): Promise<Recording[]> {
	const spoken = stories.map(({ texts }) =>
		new Array<RecordedPart | undefined>(texts.length).fill(undefined),
	);
	const failures = new Map<number, GatewayFailure>();
	const jobs = stories.flatMap(({ texts, settings }, story): Job[] =>
		settings ? texts.map((_, part) => ({ story, part })) : [],
	);
	const run = async ({ story, part }: Job): Promise<boolean> => {
		try {
			// The other parts of a story are of no use when one of them has failed.
			if (!failures.has(story)) spoken[story][part] = await speakPart(stories[story], part);
		} catch (error) {
			const failure = partFailure(toFailure(error), part, stories[story].texts);
			const first = failures.get(story);
			if (!first) failures.set(story, failure);
			// The first failure is that of the story, which says as well that another part may be paid for.
			else if (failure.mayBeCharged) failures.set(story, first.with({ mayHaveBeenCarriedOut: true }));
		}
		return failures.has(story);
	};
	const [{ call }] = stories;
	const { concurrency, signal } = call;
	const notStarted = cancelledFailure({ attempts: 0 });
	await runPool(jobs, run, { concurrency, signal, stopsAt: (failed) => failed && stopAtFailure });
	return stories.map((story, index): Recording => {
		if (story.failure) return { story, parts: [], failure: story.failure };
		const parts = story.file
			? [{ number: 1, text: story.texts[0] ?? '', source: story.file }]
			: spoken[index].filter((part) => part !== undefined);
		const isComplete = story.file !== undefined || parts.length === story.texts.length;
		return { story, parts, failure: isComplete ? undefined : (failures.get(index) ?? notStarted) };
	});
}

async function speakPart({ call, texts, settings, title }: Story, part: number): Promise<RecordedPart> {
	if (!settings) throw cancelledFailure();
	const text = texts[part];
	const name = title === '' ? firstWords(text) : title;
	const nameFor = (extension: string) => fileNameFrom(name, 'speech', extension);
	const { value: audio, useless } = await speak(
		call,
		settings,
		text,
		storeAudio(call, nameFor),
		STORED_AUDIO,
	);
	const source = storedAudio(call, audio.file, partFails(part + 1));
	return { number: part + 1, text, source, audio, useless };
}

/** Maximum length of the sentence that a message quotes. */
const MAX_QUOTE_LENGTH = 80;

/** Quotes the first sentence of the part if there are several. */
export function partFailure(failure: GatewayFailure, index: number, texts: string[]): GatewayFailure {
	if (texts.length === 1) return failure;
	const text = firstSentence(texts[index], MAX_QUOTE_LENGTH);
	const facts = {
		...failure.facts,
		partial: { ...failure.facts.partial, part: index + 1, parts: texts.length, text },
	};
	const message = `Part ${index + 1} of ${texts.length}, which begins with “${text}”, was not generated: ${failure.message}`;
	return new GatewayFailure(failure.kind, message, failure.description, facts);
}
