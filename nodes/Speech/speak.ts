import type { IBinaryData } from 'n8n-workflow';
import { answerFailure } from '../shared/errors/errorMessages';
import { BodyTooLarge, peekBytes, readBytes } from '../shared/http/byteStream';
import { endpoints } from '../shared/gateway/endpoints';
import { readJson, readText, type Answer, type AnswerReader } from '../shared/http/answerReaders';
import { mediaTypeOf } from '../shared/http/headers';
import { audioDuration } from './audio/joinAudio';
import { measured } from './audio/measuredStream';
import { detectMediaType } from '../shared/files/mediaTypes';
import { storeFile } from '../shared/files/storeFile';
import type { Call } from '../shared/runtime/call';

/** What is spoken and how; the request of interface 4.5 without its text. */
export interface SpeechSettings {
	model: string;
	voice: string;
	format: string;
	speed: number | undefined;
}

/** Spoken audio in memory. */
export interface Recording {
	bytes: Buffer;
	/** Media type of the answer. */
	contentType: string;
	durationSeconds: number | undefined;
}

/** Spoken audio in n8n's binary store. */
export interface StoredAudio {
	file: IBinaryData;
	/** Undefined for formats whose length cannot be read. */
	durationSeconds: number | undefined;
}

/** Most bytes of one part that is joined: an hour of uncompressed speech is about 170 MB. */
const MAX_PART_BYTES = 500_000_000;

/**
 * Has one text spoken, as soon as the run has a place for the request, and hands the audio to `read` as it
 * arrives.
 *
 * @throws GatewayFailure when there is none
 */
export async function speak<T>(
	call: Call,
	settings: SpeechSettings,
	text: string,
	read: AnswerReader<T>,
): Promise<T> {
	const request = {
		...call.requestOptions,
		endpoint: endpoints.speech,
		streamed: true,
		json: {
			model: settings.model,
			input: text,
			voice: settings.voice,
			response_format: settings.format,
			speed: settings.speed,
			...call.extraBodyFields,
		},
	};
	const readAudio: AnswerReader<T> = async (answer) => {
		await refuseOtherThanAudio(answer);
		return await read(answer);
	};
	return await call.places.use(async () => await call.client.send(request, readAudio));
}

/** Puts the audio into the binary store while it arrives. */
export function storeAudio(call: Call, nameFor: (extension: string) => string): AnswerReader<StoredAudio> {
	return async (answer) => {
		const { stream, seconds } = measured(answer.body);
		const file = await storeFile(call.context, stream, mediaTypeOf(answer), nameFor);
		return { file, durationSeconds: seconds() };
	};
}

/** Keeps the audio in memory, for joining. */
export const readRecording: AnswerReader<Recording> = async (answer) => {
	try {
		const bytes = await readBytes(answer.body, MAX_PART_BYTES);
		return { bytes, contentType: mediaTypeOf(answer), durationSeconds: audioDuration(bytes) };
	} catch (error) {
		answer.body.destroy();
		throw tooLargeOr(error);
	}
};

function tooLargeOr(error: unknown): unknown {
	return error instanceof BodyTooLarge ? answerFailure(`one part is ${error.message}`) : error;
}

/** Some gateways answer with status 200 and a message, a page or nothing where the audio should be. */
async function refuseOtherThanAudio(answer: Answer): Promise<void> {
	const contentType = mediaTypeOf(answer);
	const facts = { status: answer.status };
	const firstBytes = await peekBytes(answer.body);
	if (firstBytes.length === 0) throw answerFailure('it is empty', facts);
	// Audio that was paid for is kept under whatever name it comes.
	if (detectMediaType(firstBytes)) return;
	if (/json|html/.test(contentType)) {
		await readJson(answer);
		throw answerFailure(`it is ${contentType} instead of audio`, facts);
	}
	if (contentType.startsWith('text/')) {
		const gatewayMessage = (await readText(answer)).slice(0, 500);
		throw answerFailure(`it is ${contentType} instead of audio`, { ...facts, gatewayMessage });
	}
}
