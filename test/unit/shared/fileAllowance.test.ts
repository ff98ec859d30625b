import { FileAllowance } from '../../../nodes/shared/files/storeFile';

async function bytesOf(chunks: AsyncIterable<Buffer>): Promise<number> {
	let bytes = 0;
	for await (const chunk of chunks) bytes += chunk.length;
	return bytes;
}
const file = (bytes: number) => [Buffer.alloc(bytes)];

describe('What an item may store', () => {
	it('counts all its files together', async () => {
		const allowance = new FileAllowance(10);
		expect(await bytesOf(allowance.limit(file(6)))).toBe(6);
		expect(await bytesOf(allowance.limit(file(4)))).toBe(4);
		await expect(bytesOf(allowance.limit(file(1)))).rejects.toMatchObject({
			kind: 'answer',
			message: expect.stringContaining('the files of the item are longer than 1000 MB together'),
		});
	});

	it('counts files that arrive at the same time', async () => {
		const allowance = new FileAllowance(10);
		const results = await Promise.allSettled(
			[6, 6].map(async (bytes) => await bytesOf(allowance.limit(file(bytes)))),
		);
		expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
	});
});
