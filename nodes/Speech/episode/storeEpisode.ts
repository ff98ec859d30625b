import type { IBinaryData, IDataObject } from 'n8n-workflow';
import { streamFrom } from '../../shared/answer/byteStream';
import { type FileName, firstWords, storeFile } from '../../shared/files/storeFile';
import { inTurns } from '../../shared/plain/turns';
import type { Call } from '../../shared/run/call';
import { logFaults, showHint } from '../../shared/run/exits';
import type { OperationResult } from '../../shared/run/operation';
import { formatOfMediaType } from '../../audio/formats';
import type { Joiner } from '../../audio/joiner';
import { cuesOf, SUBTITLE_FORMATS } from '../subtitles';
import { type AudioTags, roundedSeconds } from '../../audio/audioTags';
import type { EpisodeSettings } from './episodeSettings';
import { costOf, filesOfStory, problemOf, type Story, withParts } from './story';
import { BOTH_SUBTITLES } from './tags';

/** Stores the joined file and its subtitles, and returns their item. */
export async function storeEpisode(
	call: Call,
	joiner: Joiner,
	stories: Story[],
	{ title, field, subtitles, tags }: EpisodeSettings,
): Promise<OperationResult> {
	const placed = stories.filter(({ place }) => place !== undefined);
	const missing = stories.filter(({ failure }) => failure !== undefined);
	logFaults(call, missing);
	const failedItems = missing.map((story) => {
		const { itemIndex, payments } = story.call;
		const { failure } = withParts(story, story.failure!);
		return { item: itemIndex, ...payments.withPayment(failure, [itemIndex]).toErrorItem() };
	});
	const allTags = tags && { ...tags, chapters: chaptersOf(placed, joiner.seconds) };
	const fileName = { about: title || firstWords(firstTextOf(placed)), fallback: 'speech' };
	const file = await storeFile(call, streamFrom(joiner.chunks(allTags)), joiner.mimeType, fileName);
	const { mimeType, bytes } = file;
	const format = formatOfMediaType(mimeType);
	const asked = stories.find(({ settings }) => settings)?.settings?.format;
	if (asked !== undefined && format !== asked) {
		showHint(call, `The gateway returned ${format ?? mimeType} although Format is "${asked}"`);
	}
	for (const story of placed) {
		const problem = problemOf(story);
		if (problem) showHint(call, `Row ${story.call.itemIndex + 1}: ${problem}`, 'warning');
	}
	return {
		json: {
			title: title === '' ? undefined : title,
			durationSeconds: roundedSeconds(joiner.seconds),
			items: placed.length,
			format,
			mimeType,
			bytes,
			cost: costOf(stories),
			stories: placed.map(placeOf),
			failedItems: missing.length > 0 ? failedItems : undefined,
		},
		files: {
			[field]: file,
			...(await subtitleFiles(call, placed, subtitles, `${field}_`, fileName)),
			// If the node continues on failure, failed stories are separate items instead.
			...(call.context.continueOnFail() ? {} : keptParts(missing, field)),
		},
	};
}

function firstTextOf(stories: Story[]): string {
	const texts = stories.flatMap(({ title, parts }) => [title, ...parts.map(({ text }) => text)]);
	return texts.find((text) => text !== '') ?? '';
}

function placeOf(story: Story): IDataObject {
	const { call, title, place } = story;
	return {
		item: call.itemIndex,
		title: title === '' ? undefined : title,
		startSeconds: place && roundedSeconds(place.startSeconds),
		endSeconds: place && roundedSeconds(place.endSeconds),
		problem: problemOf(story),
	};
}

function keptParts(stories: Story[], field: string): Record<string, IBinaryData> {
	return Object.fromEntries(
		stories.flatMap((story) =>
			Object.entries(filesOfStory(story, `${field}_row${story.call.itemIndex + 1}`)),
		),
	);
}

async function subtitleFiles(
	call: Call,
	stories: Story[],
	wanted: string,
	prefix: string,
	fileName: FileName,
): Promise<Record<string, IBinaryData>> {
	const parts = stories.flatMap((story) => story.parts);
	const cues = await inTurns(cuesOf(parts.flatMap(({ text, place }) => (place ? [{ text, ...place }] : []))));
	const files: Record<string, IBinaryData> = {};
	for (const { extension, mimeType, write } of SUBTITLE_FORMATS) {
		if (wanted !== extension && wanted !== BOTH_SUBTITLES) continue;
		const content = Buffer.from(write(cues));
		files[prefix + extension] = await storeFile(call, content, mimeType, fileName);
	}
	return files;
}

function chaptersOf(stories: Story[], endSeconds: number): AudioTags['chapters'] {
	const titled = stories.filter(({ title }) => title !== '');
	const starts = titled.map(({ place }) => place?.startSeconds ?? 0);
	return titled.map(({ title }, index) => ({
		title,
		startSeconds: starts[index],
		// A chapter ends where the next one begins, after the pause.
		endSeconds: starts[index + 1] ?? endSeconds,
	}));
}
