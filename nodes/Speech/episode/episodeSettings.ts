import type { IDataObject } from 'n8n-workflow';
import { toFailure } from '../../shared/failure/failure';
import { inputFailure } from '../../shared/failure/words';
import { inputFile } from '../../shared/files/sentFiles';
import { detectMediaType } from '../../shared/files/mediaTypes';
import { ByteCollector, withinSize } from '../../shared/answer/byteStream';
import { chunksOf } from '../../shared/send/requestBody';
import type { Call } from '../../shared/run/call';
import { OptionValues } from '../../shared/run/parameterReader';
import { asRecord } from '../../shared/plain/values';
import type { AudioSource } from '../../audio/audioFormat';
import type { AudioTags } from '../../audio/audioTags';
import { readSpeech, readText } from '../speak';
import { splitSentences, splitText } from '../splitText';
import {
	ALBUM,
	ARTIST,
	AUDIO_FIELD,
	CHAPTER,
	COVER,
	DATE,
	EPISODE_FIELD,
	FROM_FILE,
	IF_FAILS,
	JOINED_FORMAT,
	LANGUAGE,
	NO_TAGS,
	PAUSE,
	SENTENCES,
	SOURCE,
	SUBTITLES,
	TAGS,
	TITLE,
	TRANSCRIPT,
} from './fields';
import type { Story } from './story';

/** The settings of the whole file, from the first item. */
export interface EpisodeSettings {
	field: string;
	title: string;
	pauseSeconds: number;
	/** True if nothing is joined when a story has failed. */
	stops: boolean;
	/** Undefined when the file gets none. */
	tags: Omit<AudioTags, 'chapters'> | undefined;
	/** Extension of the subtitle files to add, `both`, or anything else for none. */
	subtitles: string;
}

/** @throws GatewayFailure (kind `input`) for the first parameter that cannot be used */
export async function readEpisode(call: Call): Promise<EpisodeSettings> {
	const values = tagsOf(call);
	const title = values.text(TITLE);
	const tags = values.flag(NO_TAGS) ? undefined : await readTags(call, values, title);
	return {
		field: call.options.textOrDefault(EPISODE_FIELD),
		title,
		pauseSeconds: call.options.numberOrDefault(PAUSE),
		stops: call.options.textOrDefault(IF_FAILS) === 'stop',
		tags,
		subtitles: values.text(SUBTITLES),
	};
}

/** Chapters, Subtitles, and Tags of an item. */
function tagsOf(call: Call): OptionValues {
	return new OptionValues((asRecord(call.value(TAGS)) ?? {}) as IDataObject);
}

async function readTags(call: Call, values: OptionValues, title: string): Promise<EpisodeSettings['tags']> {
	const [artist, album] = [values.text(ARTIST), values.text(ALBUM)];
	const [date, language] = [dateOf(values.text(DATE)), languageOf(values.text(LANGUAGE))];
	return { title, artist, album, date, language, cover: await readCover(call, values.text(COVER)) };
}

const DATE_PATTERN = /^\d{4}(?:-(?:0[1-9]|1[0-2])(?:-(?:0[1-9]|[12]\d|3[01]))?)?(?![\d-])/;

/** A year, a month, or a day; what follows, such as a time of day, is left out. */
function dateOf(text: string): string {
	const date = DATE_PATTERN.exec(text)?.[0];
	if (text === '' || date !== undefined) return date ?? '';
	throw inputFailure(DATE, `is “${text}”`, 'Enter a year, or a date such as 2026-11-23.');
}

const LANGUAGE_PATTERN = /^(?:[a-z]{2,3}(?:[-_][a-z\d]+)*)?$/i;

/** @throws GatewayFailure (kind `input`) for what cannot be the code of a language */
function languageOf(text: string): string {
	if (LANGUAGE_PATTERN.test(text)) return text;
	throw inputFailure(LANGUAGE, `is “${text}”`, 'Enter the code of a language, such as en or zh-CN.');
}

/** The largest cover; players show small ones only. */
const MAX_COVER_BYTES = 10_000_000;

async function readCover(call: Call, field: string): Promise<AudioTags['cover']> {
	if (field === '') return undefined;
	const unsuitable = (what: string) =>
		inputFailure(
			COVER,
			`refers to the binary field "${field}", whose file ${what}`,
			'Use a square JPEG or PNG image of up to 3,000 pixels.',
		);
	const file = await inputFile(call.context, call.itemIndex, field, COVER);
	const mimeType = detectMediaType(file.firstBytes);
	if (mimeType !== 'image/jpeg' && mimeType !== 'image/png') throw unsuitable('is not a JPEG or PNG image');
	try {
		const bytes = new ByteCollector();
		for await (const chunk of withinSize(chunksOf(file), MAX_COVER_BYTES)) bytes.add(chunk);
		return { mimeType, bytes: bytes.all() };
	} catch {
		throw unsuitable('cannot be read or is longer than 10 MB');
	}
}

/** The parameters of an item; those that cannot be used fail this item alone. */
export async function readStory(call: Call): Promise<Story> {
	try {
		const title = tagsOf(call).text(CHAPTER);
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
