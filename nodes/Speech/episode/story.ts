import type { IBinaryData } from 'n8n-workflow';
import { inputFailure } from '../../shared/failure/words';
import { GatewayFailure, toFailure } from '../../shared/failure/failure';
import { inputFile } from '../../shared/files/inputFile';
import type { Call } from '../../shared/run/call';
import { rounded } from '../../shared/run/exits';
import type { LinkedResult, OperationFailure } from '../../shared/run/operation';
import type { Paid } from '../../shared/run/payments';
import { chunksOf } from '../../shared/send/requestBody';
import type { AudioSource } from '../../audio/audioFormat';
import type { Place } from '../../audio/audioTags';
import { readSpeech, readText, type SpeechSettings } from '../speak';
import { splitSentences, splitText } from '../splitText';
import type { StoredAudio } from '../storeSpeech';
import { tagsOf } from './episodeSettings';
import {
	AUDIO_FIELD,
	CHAPTER,
	EPISODE_FIELD,
	FROM_FILE,
	JOINED_FORMAT,
	SENTENCES,
	SOURCE,
	TRANSCRIPT,
} from './fields';

/** A text that is one request, or an audio file of the input. */
export interface StoryPart {
	/** Its number in the story, from 1. */
	number: number;
	/** Empty for an audio file without a transcript. */
	text: string;
	source: AudioSource;
	/** Undefined for an audio file of the input. */
	audio?: StoredAudio;
	/** Says what is wrong with the audio, although it can be joined, as the rest of a sentence. */
	problem?: string;
	noteUnusable?: Paid<unknown>['noteUnusable'];
	place?: Place;
}

/** One item of an episode, and what has become of it so far. */
export interface Story {
	call: Call;
	/** Title of its chapter; empty for none. */
	title: string;
	/** Texts to be spoken, in parts of one request each. */
	texts: string[];
	/** Undefined when nothing is to be spoken. */
	settings?: SpeechSettings;
	/** Its audio file, or what has been spoken, in order. */
	parts: StoryPart[];
	failure?: GatewayFailure;
	/** Where it is in the joined file; undefined when it is left out. */
	place?: Place;
}

/** Says what is wrong with the audio of a story, in a sentence; undefined for nothing. */
export function problemOf({ parts }: Story): string | undefined {
	const problems = parts.flatMap(({ number, problem }) =>
		problem ? [`the audio ${parts.length === 1 ? '' : `of part ${number} `}${problem}`] : [],
	);
	const sentence = problems.join('; ');
	return sentence === '' ? undefined : sentence.charAt(0).toUpperCase() + sentence.slice(1);
}

/** What has been paid for stories, as far as the gateway reports it. */
export function costOf(stories: Story[]): number | undefined {
	const costs = stories.flatMap(({ parts }) => parts.flatMap(({ audio }) => audio?.cost ?? []));
	return costs.length > 0 ? rounded(costs.reduce((sum, cost) => sum + cost)) : undefined;
}

/** The parameters of an item; those that cannot be used fail this item alone. */
export async function readStory(call: Call): Promise<Story> {
	try {
		const title = tagsOf(call).text(CHAPTER).trim();
		const own = call.text(SOURCE) === FROM_FILE ? await fileStory(call) : textStory(call);
		return { call, title, texts: [], parts: [], ...own };
	} catch (error) {
		return { call, title: '', texts: [], parts: [], failure: toFailure(error) };
	}
}

async function fileStory(call: Call): Promise<Pick<Story, 'parts'>> {
	const field = call.requiredText(AUDIO_FIELD);
	const text = call.text(TRANSCRIPT).trim();
	return { parts: [{ number: 1, text, source: await fileOf(call, field) }] };
}

function textStory(call: Call): Pick<Story, 'texts' | 'settings'> {
	const text = readText(call);
	const settings = readSpeech(call, call.options.textOrDefault(JOINED_FORMAT));
	const split = tagsOf(call).flag(SENTENCES) ? splitSentences : splitText;
	return { texts: split(text, settings.partLength), settings };
}

async function fileOf(call: Call, field: string): Promise<AudioSource> {
	const file = await inputFile(call.context, call.itemIndex, field, AUDIO_FIELD);
	const advice =
		'All audio must have the same format, sample rate, and number of channels. Convert the file before this node.';
	return {
		fail: (what) =>
			inputFailure(AUDIO_FIELD, `refers to the binary field "${field}", whose audio ${what}`, advice),
		size: file.size,
		open: () => chunksOf(file),
	};
}

/** The stories when nothing was joined: each of them is a failure, with what has been spoken. */
export function notJoined(stories: Story[]): LinkedResult[] {
	const isCulprit = ({ failure }: Story) => failure !== undefined && failure.kind !== 'cancelled';
	const culprit = stories.find(isCulprit);
	return stories.map((story) => {
		const own = isCulprit(story) || !culprit ? story.failure : undefined;
		return failed(story, own ?? notJoinedFailure(culprit, story));
	});
}

/** A story that has failed, with what has been spoken of it. */
export function failed(story: Story, failure: GatewayFailure): LinkedResult {
	return { from: story.call.itemIndex, ...withParts(story, failure) };
}

/** A failure with the parts that have been spoken, so that nothing that was paid for is lost. */
export function withParts(story: Story, failure: GatewayFailure): OperationFailure {
	const finishedParts = story.parts.map(({ number }) => number);
	const missingParts = story.texts
		.map((_, index) => index + 1)
		.filter((part) => !finishedParts.includes(part));
	const finished = finishedParts.length > 0 ? { finishedParts, missingParts } : {};
	return {
		failure: failure.with({ partial: { ...failure.facts.partial, ...finished } }),
		files: filesOf(story, story.call.options.textOrDefault(EPISODE_FIELD)),
	};
}

function notJoinedFailure(culprit: Story | undefined, { parts }: Story): GatewayFailure {
	const reason = culprit ? `Row ${culprit.call.itemIndex + 1} failed` : 'The execution was stopped';
	const spoken = parts.some(({ audio }) => audio)
		? 'What has been spoken of this item is attached, and a retry takes it over.'
		: 'Nothing of this item has been spoken.';
	return new GatewayFailure(
		'cancelled',
		`${reason}, so the items were not joined`,
		`${spoken} To join the other items without one that fails, change If an Item Fails.`,
	);
}

/** The files of the parts that have been spoken; a story that is one part has no number after the prefix. */
export function filesOf({ parts, texts }: Story, prefix: string): Record<string, IBinaryData> {
	return Object.fromEntries(
		parts.flatMap(({ audio, number }) =>
			audio ? [[texts.length === 1 ? prefix : `${prefix}_${number}`, audio.file]] : [],
		),
	);
}
