import type { IBinaryData } from 'n8n-workflow';
import { answerFailure, cancelledFailure } from '../../shared/failure/words';
import { type GatewayFailure, toFailure } from '../../shared/failure/failure';
import { firstWords } from '../../shared/files/storeFile';
import type { Call } from '../../shared/run/call';
import { rounded } from '../../shared/run/exits';
import type { OperationFailure } from '../../shared/run/operation';
import { type Paid, usable } from '../../shared/run/payments';
import { runPool } from '../../shared/run/pool';
import type { AudioSource, Sound } from '../../audio/audioFormat';
import type { Place } from '../../audio/audioTags';
import { Joiner } from '../../audio/joiner';
import { type StoredAudio, storedSource } from '../audioAnswer';
import { speak, type SpeechSettings } from '../speak';
import { OUTPUT_FILE } from '../../shared/fields/options';

/** A text that is one request, or an audio file of the input. */
export interface StoryPart {
	/** Its number in the story, from 1. */
	number: number;
	/** Empty for an audio file without a transcript. */
	text: string;
	source: AudioSource;
	/** Undefined for an audio file of the input. */
	audio?: StoredAudio;
	/** The problem with audio that can be joined nevertheless, as the rest of a sentence. */
	problem?: string;
	paid?: Paid<StoredAudio>;
	place?: Place;
}

/** One item of an episode, with its state so far. */
export interface Story {
	call: Call;
	/** Title of its chapter; empty for none. */
	title: string;
	/** Texts to be spoken, in parts of one request each. */
	texts: string[];
	/** Undefined if nothing is to be spoken. */
	settings?: SpeechSettings;
	/** Its audio file, or the parts that have been spoken, in order. */
	parts: StoryPart[];
	failure?: GatewayFailure;
	/** Its place in the joined file; undefined if it is left out. */
	place?: Place;
}

/** Describes the problems with the audio of a story in a sentence; undefined if there are none. */
export function problemOf({ parts }: Story): string | undefined {
	const problems = parts.flatMap(({ number, problem }) =>
		problem ? [`the audio ${parts.length === 1 ? '' : `of part ${number} `}${problem}`] : [],
	);
	const sentence = problems.join('; ');
	return sentence === '' ? undefined : sentence.charAt(0).toUpperCase() + sentence.slice(1);
}

/** Returns the cost of stories, as far as the gateway reports it. */
export function costOf(stories: Story[]): number | undefined {
	const costs = stories.flatMap(({ parts }) => parts.flatMap(({ audio }) => audio?.cost ?? []));
	return costs.length > 0 ? rounded(costs.reduce((sum, cost) => sum + cost)) : undefined;
}

/** Speaks the texts of all stories, as many at the same time as the run allows. */
export async function recordStories(stories: Story[], stopAtFailure: boolean): Promise<void> {
	const [{ call }] = stories;
	const texts = stories.flatMap((story) => story.texts.map((_, index) => ({ story, index })));
	const record = async ({ story, index }: (typeof texts)[number]): Promise<boolean> => {
		try {
			// The other parts of a story are of no use once one of them has failed.
			if (!story.failure) story.parts.push(await partOf(story, index));
		} catch (error) {
			const failure = toFailure(error);
			const first = story.failure;
			// The story fails with its first failure, which also tells whether another part may be charged for.
			story.failure = first
				? first.after(failure).with({ attempts: first.facts.attempts })
				: partFailure(failure, index, story.texts);
		}
		return story.failure !== undefined;
	};
	await runPool(texts, record, { ...call.pool, stopsAt: (failed) => failed && stopAtFailure });
	for (const story of stories) {
		story.parts.sort((one, other) => one.number - other.number);
		if (story.parts.length < story.texts.length) story.failure ??= cancelledFailure({ attempts: 0 });
	}
}

/** Advice about a part that cannot be joined. */
const SAME_KIND =
	'Parts can only be joined if the gateway returns all of them with the same format, sample rate, and number of channels. Retry requests only this part again; if it fails again, add Start Over on Retry to Limits and Retries, which pays for all parts.';

async function partOf({ call, settings, texts, title }: Story, index: number): Promise<StoryPart> {
	const [number, text] = [index + 1, texts[index]];
	const paid = await speak(call, settings!, text, title);
	const audio = paid.value;
	const fail = (what: string) =>
		answerFailure(`the audio of part ${number} ${what}`).saying({ advice: SAME_KIND });
	return {
		number,
		text,
		source: storedSource(call, audio.file, fail),
		audio,
		paid,
		problem: audio.problem,
	};
}

/** Returns the failure of a part, quoting the beginning of its text if there are several parts. */
export function partFailure(failure: GatewayFailure, index: number, texts: string[]): GatewayFailure {
	if (texts.length === 1) return failure;
	const text = firstWords(texts[index]);
	const facts = {
		...failure.facts,
		partial: { ...failure.facts.partial, part: index + 1, parts: texts.length, text },
	};
	const message = `Part ${index + 1} of ${texts.length}, which begins with “${text}”, failed: ${failure.message}`;
	return failure.saying({ message }, facts);
}

const OTHER_VOICE =
	'Voices and models may differ in sample rate or number of channels. Choose a voice and a model that fit the other items. A retry takes over what has been spoken.';

/**
 * Joins the stories that have not failed, and notes their places. One that cannot be read or does not fit fails. What is
 * spoken decides what fits, because files can be converted, and speech would have to be paid for again.
 */
export async function joinStories(stories: Story[], pauseSeconds: number): Promise<Joiner> {
	const joiner = new Joiner();
	const sounds = new Map<Story, Array<[StoryPart, Sound]>>();
	const isSpoken = ({ settings }: Story) => settings !== undefined;
	const first = stories.find((story) => isSpoken(story) && !story.failure)?.settings;
	for (const story of [...stories.filter(isSpoken), ...stories.filter((one) => !isSpoken(one))]) {
		if (story.failure) continue;
		const { settings } = story;
		const isOtherVoice =
			settings !== undefined && (settings.voice !== first?.voice || settings.model !== first.model);
		try {
			const read: Array<[StoryPart, Sound]> = [];
			for (const part of story.parts) read.push([part, await readPart(joiner, part, isOtherVoice)]);
			sounds.set(story, read);
		} catch (error) {
			story.failure = toFailure(error);
		}
	}
	for (const story of stories) {
		const parts = sounds.get(story);
		if (!parts) continue;
		if (joiner.seconds > 0) joiner.appendSilence(pauseSeconds);
		const startSeconds = joiner.seconds;
		for (const [part, sound] of parts) part.place = joiner.append(sound);
		story.place = { startSeconds, endSeconds: joiner.seconds };
	}
	return joiner;
}

/** Reads a part. A retry asks again for one that cannot be joined, unless another voice would differ again. */
async function readPart(joiner: Joiner, part: StoryPart, isOtherVoice: boolean): Promise<Sound> {
	const { source, paid } = part;
	const read = async () => {
		const sound = await joiner.read(source);
		if (!isOtherVoice) joiner.checkKind(source, sound);
		return sound;
	};
	const sound = paid ? await usable(paid, read) : await read();
	if (isOtherVoice)
		joiner.checkKind({ fail: (what) => source.fail(what).saying({ advice: OTHER_VOICE }) }, sound);
	part.problem ??= sound.problem;
	return sound;
}

/** Adds the parts that have been spoken to a failure, so that nothing that was paid for is lost. */
export function withParts(
	story: Story,
	failure: GatewayFailure,
	prefix = story.call.options.textOrDefault(OUTPUT_FILE),
): OperationFailure {
	const finishedParts = story.parts.map(({ number }) => number);
	const missingParts = story.texts
		.map((_, index) => index + 1)
		.filter((part) => !finishedParts.includes(part));
	const finished = { partial: { ...failure.facts.partial, finishedParts, missingParts } };
	return {
		// Without anything to keep, the failure must not say that the details contain what arrived.
		failure: finishedParts.length > 0 ? failure.with(finished) : failure,
		files: filesOfStory(story, prefix),
	};
}

/** Returns the files of the parts that have been spoken. A single part gets no number after the prefix. */
export function filesOfStory({ parts, texts }: Story, prefix: string): Record<string, IBinaryData> {
	return Object.fromEntries(
		parts.flatMap(({ audio, number }) =>
			audio ? [[texts.length === 1 ? prefix : `${prefix}_${number}`, audio.file]] : [],
		),
	);
}
