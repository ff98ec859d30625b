import type { IBinaryData } from 'n8n-workflow';
import { readErrorBody } from '../shared/errors/errorBody';
import { answerFailure } from '../shared/errors/errorMessages';
import { GatewayFailure } from '../shared/errors/gatewayFailure';
import { detectMediaType } from '../shared/files/mediaTypes';
import { storeFile } from '../shared/files/storeFile';
import { endpoints } from '../shared/send/endpoints';
import { readJson, type Answer, type AnswerReader } from '../shared/answer/answerReaders';
import { type ByteStream, peekBytes, streamFrom } from '../shared/answer/byteStream';
import { fileOfText, readJsonWithFiles } from '../shared/answer/filesInJson';
import { mediaTypeOf } from '../shared/answer/headers';
import { keptAnswer } from '../shared/answer/schemas';
import type { Call } from '../shared/run/call';
import type { Paid, PaidForm } from '../shared/run/payments';
import { asRecord } from '../shared/plain/values';
import { measured } from './audio/formats';
import type { AudioSource } from './audio/joiner';
import { audioIn } from './audioInJson';
import { CHARACTERS_PER_PART, MODEL, SPEED, VOICE } from './fields';
import { withPartLength } from './tooLong';

/** A speech request (interface, 4.5) without its text. */
export interface SpeechSettings {
	model: string;
	voice: string;
	format: string;
	speed: number | undefined;
	/** Maximum length of a part; undefined when the text is not to be split. */
	partLength: number | undefined;
}

/** @throws GatewayFailure (kind `input`) for the first parameter that cannot be used */
export function readSpeech(call: Call, format: string): SpeechSettings & { partLength: number } {
	const [model, voice] = [call.picked(MODEL), call.picked(VOICE)];
	const partLength = Math.floor(call.options.numberOrDefault(CHARACTERS_PER_PART));
	return { model, voice, format, speed: call.options.number(SPEED), partLength };
}

/** Audio in n8n's binary store. */
export interface StoredAudio {
	file: IBinaryData;
	/** Undefined for formats that cannot be measured. */
	durationSeconds: number | undefined;
}

/**
 * Generates speech from one text as soon as the run has a free slot for the request.
 *
 * @param read reads the audio while it arrives
 * @param form how the audio is kept for a retry
 * @throws GatewayFailure when the gateway returns no audio
 */
export async function speak<T>(
	call: Call,
	settings: SpeechSettings,
	text: string,
	read: AnswerReader<T>,
	form: PaidForm<T>,
): Promise<Paid<T>> {
	const request = {
		...call.requestOptions,
		endpoint: endpoints.speech,
		streamed: 'audio' as const,
		json: speechBody(call, settings, text),
	};
	const filesOf = (received: T | Link) => (isLink(received) ? [] : (form.filesOf?.(received) ?? []));
	const receiving = async (answer: Answer) => await receive(answer, read);
	const paid = await call.pay(request, receiving, { ...form, filesOf }).catch((error: unknown) => {
		throw error instanceof GatewayFailure ? withPartLength(error, settings.partLength) : error;
	});
	const { value } = paid;
	if (!isLink(value)) return { ...paid, value };
	// The download may fail, but it is paid for.
	await paid.keep(value);
	const limits = { ...call.requestOptions, kind: 'audio' as const };
	const audio = await call.client.download(value.link, withAudio(read), limits);
	await paid.keep(audio);
	return { ...paid, value: audio };
}

/** Where audio is that the response itself does not contain. */
interface Link {
	link: string;
}

function isLink(received: unknown): received is Link {
	return asRecord(received)?.link !== undefined;
}

/** Whether a file begins with words for a person, as no audio does. */
function isMessage(firstBytes: Buffer): boolean {
	// The last character may be cut off.
	const text = firstBytes.toString('utf8', 0, 400).replace(/\ufffd$/, '');
	return /[a-z]{3}/i.test(text) && !text.includes('\ufffd') && !/[^\P{Cc}\t\n\r]/u.test(text);
}

/** Reads audio, whether it is the response itself or in JSON. */
async function receive<T>(answer: Answer, read: AnswerReader<T>): Promise<T | Link> {
	const firstBytes = await peekBytes(answer.body);
	const mayBeAudio = firstBytes.length === 0 || detectMediaType(firstBytes) !== undefined;
	if (mayBeAudio || !isJsonText(answer, firstBytes)) return await withAudio(read)(answer);
	const { body, files } = await readJsonWithFiles(
		answer,
		async ({ bytes, mimeType }) => await withAudio(read)(audioAnswer(answer, streamFrom(bytes), mimeType)),
	);
	const place = audioIn(body, (text) => Object.hasOwn(files, text));
	if (place && 'key' in place) return files[place.key];
	if (place && 'link' in place) return place;
	const file = place && fileOfText(place.inline);
	if (file && detectMediaType(file.bytes)) {
		return await withAudio(read)(audioAnswer(answer, streamFrom([file.bytes]), file.mimeType));
	}
	throw answerFailure('it is JSON without audio', { status: answer.status, ...keptAnswer(body) });
}

function isJsonText(answer: Answer, firstBytes: Buffer): boolean {
	return mediaTypeOf(answer).includes('json') || /^\s{0,99}\{/.test(firstBytes.toString('latin1', 0, 100));
}

/** An answer that consists of the audio that another one contains. */
function audioAnswer(answer: Answer, body: ByteStream, mimeType: string): Answer {
	return { ...answer, headers: { 'content-type': mimeType }, body };
}

function withAudio<T>(read: AnswerReader<T>): AnswerReader<T> {
	return async (answer) => {
		await requireAudio(answer);
		return await read(answer);
	};
}

/** The body of a request (interface, 4.5), with the extra fields of the item. */
function speechBody(call: Call, settings: SpeechSettings, text: string): Record<string, unknown> {
	return {
		model: settings.model,
		input: text,
		voice: settings.voice,
		response_format: settings.format,
		speed: settings.speed,
		...call.extraBodyFields,
	};
}

/** How audio in n8n's binary store is kept for a retry. */
export const STORED_AUDIO: PaidForm<StoredAudio> = { filesOf: ({ file }) => [file] };

/** A reader that streams the audio into the binary store. */
export function storeAudio(call: Call, nameFor: (extension: string) => string): AnswerReader<StoredAudio> {
	return async (answer) => {
		const { stream, seconds } = measured(answer.body);
		const file = await storeFile(call, stream, mediaTypeOf(answer), nameFor);
		return { file, durationSeconds: seconds() };
	};
}

/** A file in n8n's binary store, for joining. */
export function storedAudio(call: Call, file: IBinaryData, fail: AudioSource['fail']): AudioSource {
	const { id, data, bytes } = file;
	const open = async (): Promise<AsyncIterable<Buffer>> =>
		id ? await call.context.helpers.getBinaryStream(id) : streamFrom([Buffer.from(data, 'base64')]);
	return { fail, open, size: bytes };
}

/** Some gateways return status 200 with a message, a web page, or nothing instead of audio. */
async function requireAudio(answer: Answer): Promise<void> {
	const contentType = mediaTypeOf(answer);
	const facts = { status: answer.status };
	const firstBytes = await peekBytes(answer.body);
	if (firstBytes.length === 0) throw answerFailure('it is empty', facts);
	const detected = detectMediaType(firstBytes);
	// Audio was paid for, so it is kept even if it has the wrong content type.
	if (detected?.startsWith('audio/')) return;
	if (detected !== undefined) throw answerFailure(`it is ${detected} instead of audio`, facts);
	if (contentType.includes('html')) {
		await readJson(answer);
		throw answerFailure(`it is ${contentType} instead of audio`, facts);
	}
	if (!isMessage(firstBytes)) return;
	const text = firstBytes.toString('utf8');
	const { gatewayMessage } = readErrorBody(text);
	throw answerFailure('it is text instead of audio', { ...facts, gatewayMessage, ...keptAnswer(text) });
}
