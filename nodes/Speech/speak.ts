import { answerFailure } from '../shared/gateway/advice';
import { readBytes } from '../shared/gateway/byteStream';
import { endpoints } from '../shared/gateway/endpoints';
import { toFailure, type GatewayFailure } from '../shared/gateway/failure';
import { mediaTypeOf, readJson, type Answer, type AnswerReader } from '../shared/gateway/readers';
import { audioDuration, joinAudio } from '../shared/files/audio/joinAudio';
import type { Call } from '../shared/runtime/call';
import { runPool } from '../shared/runtime/pool';

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
	durationSeconds?: number;
}

/** Most bytes of one part: an hour of uncompressed speech is about 170 MB. */
const MAX_PART_BYTES = 500_000_000;

/**
 * Has one text spoken and hands the audio to `read` as it arrives.
 *
 * @throws GatewayFailure when there is none
 */
export async function speak<T>(
	call: Call,
	settings: SpeechSettings,
	text: string,
	read: AnswerReader<T>,
): Promise<T> {
	return await call.client.send(
		{
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
		},
		async (answer) => {
			await refuseOtherThanAudio(answer);
			return await read(answer);
		},
	);
}

/**
 * Has the parts of a long text spoken in parallel and joins them. The parts are held in memory, because
 * they arrive in any order and their sound has to be taken out of their files.
 *
 * @throws GatewayFailure that names the part; parts that were finished are not asked for again within the run
 */
export async function speakJoined(call: Call, settings: SpeechSettings, texts: string[]): Promise<Recording> {
	const parts = await speakParts(call, settings, texts);
	const { bytes, durationSeconds } = joinAudio(parts.map((part) => part.bytes));
	return { bytes, durationSeconds, contentType: parts[0].contentType };
}

/** Has each text spoken, at most as many at once as the run may have requests under way. */
export async function speakParts(
	call: Call,
	settings: SpeechSettings,
	texts: string[],
): Promise<Recording[]> {
	const parts: Recording[] = [];
	let failed: GatewayFailure | undefined;
	await runPool(
		texts.length,
		call.maxConcurrency,
		async (index) => {
			try {
				parts[index] = await speak(call, settings, texts[index], readRecording);
			} catch (error) {
				failed ??= toFailure(error).with({
					partial: { part: index + 1, parts: texts.length, text: texts[index].slice(0, 100) },
				});
			}
		},
		() => failed === undefined,
	);
	if (failed) throw toFailure(failed);
	return parts;
}

const readRecording: AnswerReader<Recording> = async (answer) => {
	const bytes = await readBytes(answer.body, MAX_PART_BYTES);
	return { bytes, contentType: mediaTypeOf(answer), durationSeconds: audioDuration(bytes) };
};

/** Some gateways answer with status 200 and a message or a page where the audio should be. */
async function refuseOtherThanAudio(answer: Answer): Promise<void> {
	const contentType = mediaTypeOf(answer);
	if (!/json|html/.test(contentType)) return;
	await readJson(answer);
	throw answerFailure(`it is ${contentType} instead of audio`, { status: answer.status });
}
