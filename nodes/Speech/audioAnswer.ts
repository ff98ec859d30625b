import type { IBinaryData } from 'n8n-workflow';
import { type AudioFormat, type AudioSource, cutOff, type Sound } from '../audio/audioFormat';
import { type Measured, measured } from '../audio/formats';
import { rawSound, wav } from '../audio/wav';
import { type Answer, readJson, unusable } from '../shared/answer/answerReaders';
import { peek, streamFrom } from '../shared/answer/byteStream';
import { DAMAGED_TEXT, readJsonWithFiles } from '../shared/answer/filesInJson';
import { headerValue, mediaTypeOf, missingPart } from '../shared/plain/headers';
import { looksLikeWebPage } from '../shared/failure/errorBody';
import { type GatewayFailure, toFailure } from '../shared/failure/failure';
import { answerFailure } from '../shared/failure/words';
import { detectMediaType, textInstead } from '../shared/files/mediaTypes';
import { openStored, storeFile } from '../shared/files/storeFile';
import { fileOfText } from '../shared/plain/fileText';
import { asRecord, textOr } from '../shared/plain/values';
import type { Call } from '../shared/run/call';

/** The address of audio that the response itself does not contain. */
export interface Link {
	link: string;
	/** The cost that a header reports. */
	cost?: number;
}

/** The place of the audio of a JSON response: a stored file, by its key; the response itself; or an address. */
type AudioPlace = { key: string } | { file: { mimeType: string; bytes: Buffer } } | Link;

/** Reads audio, whether it is the response itself or in JSON. */
export async function receiveAudio<T extends { problem?: string }>(
	received: Answer,
	store: (audio: Answer) => Promise<T>,
): Promise<T | Link> {
	const { firstBytes, body } = await peek(received.body);
	const answer = { ...received, body };
	const mayBeAudio = firstBytes.length === 0 || detectMediaType(firstBytes) !== undefined;
	if (mayBeAudio || !isJsonText(answer, firstBytes)) return await store(answer);
	const read = await readJsonWithFiles(
		answer,
		async ({ bytes, mimeType }) => await store(answerWith(answer, bytes, mimeType)),
		(body, isKey) => {
			const place = audioIn(body, isKey);
			return place !== undefined && !('link' in place);
		},
	);
	const { body: json, files } = read;
	const place = audioIn(json, (text) => Object.hasOwn(files, text));
	if (place && 'link' in place) return { ...place, cost: answer.cost };
	if (place && 'file' in place) {
		return await store(answerWith(answer, [place.file.bytes], place.file.mimeType));
	}
	const keys = Object.keys(files);
	// A stored file under any other name is the audio as well, because it was paid for.
	const key = place ? place.key : keys.at(0);
	if (key !== undefined) {
		const audio = files[key];
		if (read.damaged.includes(key)) audio.problem ??= DAMAGED_TEXT;
		if (keys.length > 1) audio.problem ??= `is only the first of ${keys.length} sounds in the response`;
		return audio;
	}
	throw unusable(answerFailure('it is JSON without audio', { status: answer.status }), json);
}

function isJsonText(answer: Answer, firstBytes: Buffer): boolean {
	return mediaTypeOf(answer).includes('json') || /^\s{0,99}\{/.test(firstBytes.toString('latin1', 0, 100));
}

function answerWith(answer: Answer, bytes: Parameters<typeof streamFrom>[0], mimeType: string): Answer {
	return { ...answer, headers: { 'content-type': mimeType }, body: streamFrom(bytes) };
}

/** The names of audio, its address, or an object with either: of MiniMax, ElevenLabs, Google Cloud, and DashScope. */
const NAMES = [
	...['audio', 'audio_base64', 'audioContent', 'audio_data', 'audioData', 'url', 'data'],
	// The first is from OpenMAIC#1395, and the last, a list, is Sarvam's.
	...['audioUrl', 'audio_url', 'audios'],
];
const WRAPPERS = ['data', 'audio', 'output'];

/** Finds the audio in a JSON response. The interface (4.5) does not show one, but other public APIs send it. */
export function audioIn(body: unknown, isKey: (text: string) => boolean): AudioPlace | undefined {
	const fields = asRecord(body);
	if (!fields) return undefined;
	const texts = NAMES.flatMap((name) => [fields[name]].flat().map((one) => textOr(one))).filter(Boolean);
	const key = texts.find(isKey);
	if (key !== undefined) return { key };
	const link = texts.find((text) => /^https?:\/\//i.test(text));
	if (link !== undefined) return { link };
	for (const name of WRAPPERS) {
		const found = audioIn(fields[name], isKey);
		if (found) return found;
	}
	// A short file stays in the response, because only long ones are stored while they arrive.
	const file = texts.map(fileOfText).find((one) => one && detectMediaType(one.bytes));
	return file && { file };
}

/** Checks that a response is audio: some gateways send a message, a web page, or nothing with status 200. */
export async function requireAudio(answer: Answer): Promise<Measured> {
	const { status } = answer;
	const audio = await measured(answer.body);
	const { firstBytes, broken, detected, stream } = audio;
	if (firstBytes.length === 0) throw answerFailure('it is empty', { status });
	// Audio was paid for, so it is kept even if it has the wrong content type.
	if (detected?.startsWith('audio/')) return audio;
	if (detected !== undefined) throw answerFailure(`it is ${detected} instead of audio`, { status });
	if (looksLikeWebPage(firstBytes.toString('latin1'))) await readJson({ ...answer, body: stream });
	const text = textInstead(firstBytes, 'audio', status);
	// The first bytes of a body that breaks off may be letters, whatever would have followed.
	if (text) throw broken ?? text;
	return audio;
}

export interface StoredAudio {
	file: IBinaryData;
	/** Undefined for formats that cannot be measured. */
	durationSeconds: number | undefined;
	/** The problem with the audio, as the rest of a sentence. The audio was paid for, so it is kept. */
	problem?: string;
	/** The cost that a header reports. */
	cost?: number;
}

/** Returns a stored file as a source of audio. @param fail makes the failure if it cannot be read or joined */
export function storedSource(
	{ context }: Call,
	{ id, data, bytes }: IBinaryData,
	fail: (what: string) => GatewayFailure,
): AudioSource {
	const unreadable = () => fail('cannot be read in the binary data of n8n');
	return {
		fail,
		size: bytes,
		open: async () =>
			id ? await openStored(context, id, unreadable) : streamFrom([Buffer.from(data, 'base64')]),
	};
}

/** Formats with a header that players recognize. All others are raw sound, such as PCM. */
const WITH_HEADER = ['mp3', 'opus', 'wav', 'flac', 'aac', 'ogg', 'm4a', 'webm'];
const WITHOUT_HEADER =
	'has no readable header: if it is raw sound (PCM), only programs that are told its sample rate can play it';

/**
 * Stores the audio of a response. If players would show or play something other than its sound, it is stored again with
 * the right header, which is known only at the end. @param asked the format of the request
 */
export async function storeSpeech(
	call: Call,
	answer: Answer,
	name: string,
	asked: string,
): Promise<StoredAudio> {
	const { stream, detected, format, scanner } = await requireAudio(answer);
	const file = await storeFile(call, stream, mediaTypeOf(answer), { about: name, fallback: 'speech' });
	if (scanner?.isEmpty) throw answerFailure(`it is a file without sound (${format?.name})`);
	const durationSeconds = scanner?.seconds;
	const problem = (scanner && cutOff(scanner)) ?? missingPart(answer.status, answer.headers);
	const stored = { file, durationSeconds, problem, cost: answer.cost };
	const source = storedSource(call, file, (what) => answerFailure(`the audio ${what}`));
	// Ogg files with sound other than Opus cannot be measured.
	const isReadable = scanner
		? durationSeconds !== undefined || detected === 'audio/ogg'
		: detected !== undefined;
	if (isReadable)
		return scanner?.isMisleading ? await rewritten(call, stored, name, format!, source) : stored;
	if (!WITH_HEADER.includes(asked.toLowerCase())) return stored;
	const raw = rawSound(source, headerValue(answer.headers, 'content-type') ?? '');
	return raw ? await rewritten(call, stored, name, wav, source, raw) : { ...stored, problem: WITHOUT_HEADER };
}

/** Stores the audio again with the right header. If that fails, the first file stays, with a note on the problem. */
async function rewritten(
	call: Call,
	stored: StoredAudio,
	name: string,
	format: AudioFormat,
	source: AudioSource,
	known?: Sound,
): Promise<StoredAudio> {
	try {
		const sound = known ?? (await format.read(source));
		const content = streamFrom(format.write([sound]));
		const file = await storeFile(call, content, format.mimeType, { about: name, fallback: 'speech' });
		return { ...stored, file, durationSeconds: sound.seconds };
	} catch (error) {
		const { message } = toFailure(error);
		return {
			...stored,
			problem: `has a header that does not fit its sound, and could not be mended (${message})`,
		};
	}
}
