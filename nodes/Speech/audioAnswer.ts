import { type Measured, measured } from '../audio/formats';
import { type Answer, readJson, unusable } from '../shared/answer/answerReaders';
import { peek, streamFrom } from '../shared/answer/byteStream';
import { DAMAGED_TEXT, readJsonWithFiles } from '../shared/answer/filesInJson';
import { fileOfText } from '../shared/plain/fileText';
import { mediaTypeOf } from '../shared/plain/headers';
import { looksLikeWebPage } from '../shared/failure/errorBody';
import { answerFailure } from '../shared/failure/words';
import { detectMediaType, textInstead } from '../shared/files/mediaTypes';
import { asRecord, textOr } from '../shared/plain/values';

/** Where audio is that the response itself does not contain. */
export interface Link {
	link: string;
	/** As a header reports it. */
	cost?: number;
}

/** Where the audio of a JSON response is: under the key of a file that was stored, in the response itself, or elsewhere. */
type AudioPlace = { key: string } | { inline: string } | Link;

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
		(body, isKey) => isFile(audioIn(body, isKey)),
	);
	const { body: json, files } = read;
	const isKey = (text: string) => Object.hasOwn(files, text);
	// A file under any name is the audio that was paid for.
	const [other] = Object.keys(files);
	const place = audioIn(json, isKey) ?? (other === undefined ? undefined : { key: other });
	if (place && 'key' in place) {
		const audio = files[place.key];
		const count = Object.keys(files).length;
		if (read.damaged.includes(place.key)) audio.problem ??= DAMAGED_TEXT;
		if (count > 1) audio.problem ??= `is only the first of ${count} sounds in the response`;
		return audio;
	}
	if (place && 'link' in place) return { ...place, cost: answer.cost };
	const file = place && shortFile(place);
	if (file) return await store(answerWith(answer, [file.bytes], file.mimeType));
	throw unusable(answerFailure('it is JSON without audio', { status: answer.status }), json);
}

/** Tells whether the response itself contains the audio. */
function isFile(place: AudioPlace | undefined): boolean {
	if (!place || 'link' in place) return false;
	return 'key' in place || shortFile(place) !== undefined;
}

/** A file that was not stored while it arrived, because its text is short. */
function shortFile({ inline }: { inline: string }): ReturnType<typeof fileOfText> {
	const file = fileOfText(inline);
	return file && detectMediaType(file.bytes) ? file : undefined;
}

function isJsonText(answer: Answer, firstBytes: Buffer): boolean {
	return mediaTypeOf(answer).includes('json') || /^\s{0,99}\{/.test(firstBytes.toString('latin1', 0, 100));
}

/** An answer that consists of the audio that another one contains. */
function answerWith(answer: Answer, bytes: Parameters<typeof streamFrom>[0], mimeType: string): Answer {
	return { ...answer, headers: { 'content-type': mimeType }, body: streamFrom(bytes) };
}

/** The names of audio, its address, or an object with either: of MiniMax, ElevenLabs, Google Cloud, DashScope, and others. */
const NAMES = [
	...['audio', 'audio_base64', 'audioContent', 'audio_data', 'audioData', 'url', 'data'],
	// Of OpenMAIC#1395, and a list: of Sarvam.
	...['audioUrl', 'audio_url', 'audios'],
];
const WRAPPERS = ['data', 'audio', 'output'];
const MAX_DEPTH = 3;

/** Finds the audio in a JSON response, which the interface does not have (4.5), but other public APIs send. */
export function audioIn(body: unknown, isKey: (text: string) => boolean, depth = 0): AudioPlace | undefined {
	const fields = asRecord(body);
	if (!fields || depth > MAX_DEPTH) return undefined;
	const texts = NAMES.flatMap((name) => [fields[name]].flat().map((one) => textOr(one))).filter(Boolean);
	const key = texts.find(isKey);
	if (key !== undefined) return { key };
	const link = texts.find((text) => /^https?:\/\//i.test(text));
	if (link !== undefined) return { link };
	for (const name of WRAPPERS) {
		const found = audioIn(fields[name], isKey, depth + 1);
		if (found) return found;
	}
	const [inline] = texts;
	return inline === undefined ? undefined : { inline };
}

/** Some gateways return status 200 with a message, a web page, or nothing instead of audio. */
export async function requireAudio(answer: Answer): Promise<Measured> {
	const { status } = answer;
	const audio = await measured(answer.body);
	const { firstBytes, detected, stream } = audio;
	if (firstBytes.length === 0) throw answerFailure('it is empty', { status });
	// Audio was paid for, so it is kept even if it has the wrong content type.
	if (detected?.startsWith('audio/')) return audio;
	if (detected !== undefined) throw answerFailure(`it is ${detected} instead of audio`, { status });
	if (looksLikeWebPage(firstBytes.toString('latin1'))) await readJson({ ...answer, body: stream });
	const text = textInstead(firstBytes, 'audio', status);
	if (text) throw text;
	return audio;
}
