import type { IBinaryData } from 'n8n-workflow';
import { shortMessage } from '../shared/errors/errorBody';
import { answerFailure } from '../shared/errors/errorMessages';
import { detectMediaType } from '../shared/files/mediaTypes';
import { storeFile } from '../shared/files/storeFile';
import { endpoints } from '../shared/gateway/endpoints';
import { readJson, readText, type Answer, type AnswerReader } from '../shared/http/answerReaders';
import { STREAM_BYTES } from '../shared/http/budgets';
import { BodyTooLarge, peekBytes, readBytes } from '../shared/http/byteStream';
import { mediaTypeOf } from '../shared/http/headers';
import type { Call } from '../shared/runtime/call';
import type { Paid, PaidForm } from '../shared/runtime/payments';
import { measured } from './audio/formats';

/** A speech request (interface, 4.5) without its text. */
export interface SpeechSettings {
	model: string;
	voice: string;
	format: string;
	speed: number | undefined;
}

/** Audio in memory. */
export interface Recording {
	bytes: Buffer;
	/** Media type of the answer. */
	contentType: string;
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
	const readAudio: AnswerReader<T> = async (answer) => {
		await requireAudio(answer);
		return await read(answer);
	};
	return await call.payInSlot(request, readAudio, form);
}

/** The body of a request (interface, 4.5), with the extra fields of the item. */
export function speechBody(call: Call, settings: SpeechSettings, text: string): Record<string, unknown> {
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

/** A reader that keeps the audio in memory, for joining. */
export const readRecording: AnswerReader<Recording> = async (answer) => {
	try {
		return { bytes: await readBytes(answer.body, STREAM_BYTES.audioPart), contentType: mediaTypeOf(answer) };
	} catch (error) {
		answer.body.destroy();
		throw tooLargeOr(error);
	}
};

function tooLargeOr(error: unknown): unknown {
	return error instanceof BodyTooLarge ? answerFailure(`one part is ${error.message}`) : error;
}

/** Some gateways return status 200 with a message, a web page, or nothing instead of audio. */
async function requireAudio(answer: Answer): Promise<void> {
	const contentType = mediaTypeOf(answer);
	const facts = { status: answer.status };
	const firstBytes = await peekBytes(answer.body);
	if (firstBytes.length === 0) throw answerFailure('it is empty', facts);
	// Audio was paid for, so it is kept even if it has the wrong content type.
	if (detectMediaType(firstBytes)) return;
	if (/json|html/.test(contentType)) {
		await readJson(answer);
		throw answerFailure(`it is ${contentType} instead of audio`, facts);
	}
	if (contentType.startsWith('text/')) {
		const gatewayMessage = shortMessage(await readText(answer));
		throw answerFailure(`it is ${contentType} instead of audio`, { ...facts, gatewayMessage });
	}
}
