import fc from 'fast-check';
import { ChatReader, readChatAnswer } from '../../nodes/Chat/formats/readAnswer';
import { simplifiedOutput } from '../../nodes/Chat/formats/answer';
import { checkContent, resultOf, usableCalls, usageOf } from '../../nodes/Chat/model/result';
import { readJsonWithFiles } from '../../nodes/shared/answer/filesInJson';
import { readJson } from '../../nodes/shared/answer/answerReaders';
import { expectFailureOrValue, expectPlain } from './expectations';
import { answerOf, ANSWERS } from './chatAnswers';
import { changed, changes, hostileValue, toJson } from './hostileValues';
import { chunkSizes, damaged, damages } from './damage';
import { property, type Property } from './property';

const valid = fc.constantFrom(...ANSWERS);

/** An answer of a chat as the node and the sub-node pass it on. */
async function readAnswer(json: string, sizes: number[]): Promise<void> {
	await expectFailureOrValue(async () => {
		const body = await new ChatReader(false).read(answerOf(json, sizes, 'application/json'));
		const answer = readChatAnswer(body, 'model');
		expectPlain([body, answer, simplifiedOutput(answer)]);
		const calls = usableCalls(answer);
		checkContent(answer);
		usageOf(answer);
		// Some fields of the SDK are undefined on purpose.
		return [calls, JSON.parse(JSON.stringify(resultOf(answer))) as unknown];
	});
}

export const readerProperties: Property[] = [
	property('make an answer or a failure of any JSON', [hostileValue, chunkSizes], async (value, sizes) => {
		await readAnswer(toJson(value), sizes);
	}),
	property(
		'make an answer or a failure of a chat answer with changes',
		[valid, changes, chunkSizes],
		async (body, all, sizes) => {
			await readAnswer(toJson(changed(body, all)), sizes);
		},
	),
	property(
		'find the same JSON with and without files in it',
		[hostileValue, fc.option(damages), chunkSizes],
		async (value, all, sizes) => {
			const whole = Buffer.from(toJson({ data: value, more: 'A'.repeat(30) }));
			const json = all ? damaged(whole, all) : whole;
			const expected = await expectFailureOrValue(
				async () => await readJson(answerOf(json, sizes, 'application/json')),
			);
			let stored = 0;
			const found = await expectFailureOrValue(async () => {
				const answer = answerOf(json, sizes, 'application/json');
				const { body } = await readJsonWithFiles(answer, async ({ bytes }) => {
					for await (const chunk of bytes) stored += chunk.length;
				});
				return body;
			});
			if (stored > 0) return;
			if (JSON.stringify(found) !== JSON.stringify(expected)) throw new Error('They differ');
		},
	),
];
