import { Readable } from 'node:stream';
import type { FastifyPluginAsync } from 'fastify';
import { z } from 'zod';
import { blocks } from '../audio/blocks';
import { mp3File } from '../audio/mp3';
import { oggOpusFile } from '../audio/oggOpus';
import { beatCount, melody } from '../audio/speech';
import { wavFile } from '../audio/wav';
import { findModel } from '../catalogue/findModel';
import type { VoiceList } from '../catalogue/voices';
import { invalidRequest } from '../http/errors';
import { jsonBody } from '../http/jsonBody';

const maxInputCharacters = 4096;

const formats = {
	mp3: { contentType: 'audio/mpeg', file: mp3File },
	wav: { contentType: 'audio/wav', file: wavFile },
	opus: { contentType: 'audio/ogg', file: oggOpusFile },
};
const formatNames = Object.keys(formats) as [keyof typeof formats, ...Array<keyof typeof formats>];

const speechRequest = z.object({
	model: z.string(),
	input: z.string(),
	voice: z.string(),
	response_format: z
		.enum(formatNames, { message: `the allowed formats are ${formatNames.join(', ')}` })
		.default('mp3'),
	speed: z.number().min(0.25).max(4).default(1),
});

function checkInput(input: string): void {
	if (input.trim() === '') throw invalidRequest('Invalid value for "input": there is no text to speak.');
	const { length } = [...input];
	if (length > maxInputCharacters) {
		throw invalidRequest(
			`Invalid value for "input": it has ${length} characters, at most ${maxInputCharacters} are allowed.`,
		);
	}
}

/** `POST /v1/audio/speech` (section 4.5): a streamed audio file whose duration depends on the text. */
export const speechRoutes: FastifyPluginAsync<{ voices: VoiceList }> = async (app, { voices }) => {
	app.post('/v1/audio/speech', async (request, reply) => {
		const { model, input, voice, response_format, speed } = jsonBody(request, speechRequest);
		findModel(model, 'speech');
		checkInput(input);
		if (!voices.has(voice)) {
			throw invalidRequest(
				`Invalid value for "voice": there is no voice "${voice}". GET /v1/audio/voices lists them.`,
			);
		}
		const utterance = { text: input, voice, speed };
		const { contentType, file } = formats[response_format];
		const content = blocks(file(melody(utterance), beatCount(utterance)));
		return reply.type(contentType).send(Readable.from(content, { objectMode: false }));
	});
};
