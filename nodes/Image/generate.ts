import type { IBinaryData } from 'n8n-workflow';
import { toFailure, type GatewayFailure } from '../shared/failure/failure';
import { endpoints } from '../shared/send/endpoints';
import { detectMediaType, isText } from '../shared/files/mediaTypes';
import { keptAnswer, readWith } from '../shared/answer/answerReaders';
import { tokensIn, type TokenUsage, updated } from '../shared/answer/usage';
import { peek, streamFrom } from '../shared/answer/byteStream';
import { mediaTypeOf } from '../shared/plain/headers';
import type { EmbeddedFile } from '../shared/send/requestBody';
import type { OptionalFields } from '../shared/answer/optionalFields';
import type { Call } from '../shared/run/call';
import { usable } from '../shared/run/payments';
import { asRecord, withoutGaps } from '../shared/plain/values';
import { type JsonWithFiles, readJsonWithFiles } from '../shared/answer/filesInJson';
import { type ImageFiles, isSvg } from './imageFiles';
import { FILTERED, type ImageAnswer, listsImageFile, readImages } from './readImages';
import { documentedReason, NO_CHOICES, NO_IMAGE, NOT_UPLOADED } from '../shared/failure/meaning';
import { withGatewayWords } from '../shared/failure/statusWords';

/** The content of a request for images (interface, 4.4). Entries that are undefined are not sent. */
export interface ImageOrder {
	model: string;
	prompt: string;
	size: string;
	/** This and the following entries are fields of `extra_fields`. */
	aspectRatio?: string;
	imageSize?: string;
	temperature: number | undefined;
	/** Web addresses and data URIs, in order. */
	references: Array<string | EmbeddedFile>;
}

/** Writes the body of a request for images (interface, 4.4). @param extra the user's fields, which override others */
export function requestBody(order: ImageOrder, extra: Record<string, unknown> = {}): Record<string, unknown> {
	const { model, prompt, size, aspectRatio, imageSize, temperature, references } = order;
	const extraFields = withoutGaps({
		aspect_ratio: aspectRatio,
		image_size: imageSize,
		temperature,
		reference_images: references.length > 0 ? references : undefined,
		...asRecord(extra.extra_fields),
	});
	const hasExtraFields = Object.keys(extraFields).length > 0;
	return { model, prompt, size, ...extra, ...(hasExtraFields ? { extra_fields: extraFields } : {}) };
}

/** The key of an image that is the response itself, as Cloudflare Workers AI and Stability AI send it. */
const WHOLE = 'response';

/**
 * Generates images (interface, 4.4). Those in the response itself are stored while it arrives, as `files` by their
 * keys; `paid.noteUnusable` makes n8n's Retry generate the images again.
 */
export async function generate(call: Call, json: Record<string, unknown>, store: ImageFiles) {
	try {
		let beginning: string | undefined;
		const request = { ...call.requestOptions, endpoint: endpoints.images, json };
		const paid = await call.pay(
			request,
			async (answer): Promise<JsonWithFiles<IBinaryData> & { cost?: number }> => {
				const { firstBytes, body } = await peek(answer.body);
				const declared = mediaTypeOf(answer);
				const isUnknown = declared.startsWith('image/') && (isSvg(firstBytes) || !isText(firstBytes));
				if ((isUnknown && firstBytes.length > 0) || detectMediaType(firstBytes)?.startsWith('image/')) {
					const file = await store.store(body, declared);
					const files = { [WHOLE]: file };
					return { body: { data: [{ b64_json: WHOLE }] }, files, damaged: [], cost: answer.cost };
				}
				const { sent, ...read } = await readJsonWithFiles(
					{ ...answer, body },
					async ({ bytes, mimeType }) => await store.store(streamFrom(bytes), mimeType),
					listsImageFile,
				);
				beginning = sent;
				return { ...read, cost: answer.cost };
			},
			{ filesOf: ({ files }) => Object.values(files) },
		);
		const { files, damaged, cost } = paid.value;
		const answer = await usable(paid, async ({ body }) => {
			const isKey = (text: string) => Object.hasOwn(files, text);
			const stored = Object.keys(files).filter((key) => files[key].mimeType.startsWith('image/'));
			const read = () => readImages(body, isKey, stored);
			return await readWith(body, read, listsImageFile(body, isKey)).catch((error: unknown) => {
				throw toFailure(error).with(keptAnswer(beginning));
			});
		});
		return { ...answer, files, damaged, cost, paid };
	} catch (error) {
		throw explainImageFailure(toFailure(error));
	}
}

/** Returns the tokens and the cost that a response reports for all images. @param optional notes unreadable fields */
export function imageUsage(
	{ others, cost }: Pick<ImageAnswer, 'others'> & { cost?: number },
	optional: OptionalFields,
): TokenUsage {
	const { inputTokens, outputTokens, totalTokens, ...usage } = tokensIn(
		others.usage ?? others.usageMetadata,
		optional,
	);
	return updated({}, { inputTokens, outputTokens, totalTokens, cost: usage.cost ?? cost });
}

/** The words for the documented messages of a response without an image. The model has run, and may be charged for. */
const REASONS: Record<string, { message: string; advice: string }> = {
	[NO_IMAGE]: {
		message: 'The model returned no image',
		advice:
			'The response of the model contained only text, or nothing. Describe clearly in Prompt what the image shows, check that all addresses in Reference Images can be opened from the internet, and check that Model is an image model. Then run the item again.',
	},
	[NOT_UPLOADED]: {
		message: 'The image was generated, but the gateway could not store it',
		advice:
			'The upload from the model to the file storage of the gateway failed. Ask the operator of the gateway for the image, or run the item again in a few minutes, which generates another one.',
	},
	[NO_CHOICES]: {
		message: 'The model returned an empty response, most likely because of its safety filter',
		advice:
			'Change Prompt or Reference Images of this item: avoid real people, violence, nudity, and protected characters. The request was not sent again, because the model would reject it again.',
	},
};

/** Reasons in a response with a status of success: Gemini's words, Imagen's sentence (js-genai#321), and others. */
const REASONS_INSIDE: Array<[RegExp, string]> = [
	[/^NO_IMAGE\b/, NO_IMAGE],
	[/^(SAFETY|PROHIBITED_CONTENT|BLOCKLIST)\b|\bimages were filtered out\b/, NO_CHOICES],
	[FILTERED, NO_CHOICES],
];

/** Explains the documented messages of a response without an image, and what stands for them. */
export function explainImageFailure(failure: GatewayFailure): GatewayFailure {
	const { gatewayMessage = '' } = failure.facts;
	const documented =
		documentedReason(failure.facts) ?? REASONS_INSIDE.find(([reason]) => reason.test(gatewayMessage))?.[1];
	if (documented === undefined) return failure;
	const { message, advice } = REASONS[documented];
	return failure.saying({ message: withGatewayWords(message, failure.facts), advice });
}
