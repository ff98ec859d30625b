/** What a tag contains, as a reader finds it that knows nothing of how it was written. */
export interface FoundTags {
	/** Texts by the names that the format has for them. */
	texts: Record<string, string>;
	/** The chapters, with times in milliseconds. Vorbis comments have no ends. */
	chapters: Array<{ title: string; start: number; end?: number }>;
}

/** A chunk of a RIFF file. */
interface RiffChunk {
	name: string;
	content: Buffer;
}

/** Chunks one after another, each with an even length. @throws Error when they do not fill the bytes exactly */
export function riffChunks(bytes: Buffer): RiffChunk[] {
	const chunks: RiffChunk[] = [];
	let offset = 0;
	while (offset < bytes.length) {
		const length = bytes.readUInt32LE(offset + 4);
		const content = bytes.subarray(offset + 8, offset + 8 + length);
		chunks.push({ name: bytes.toString('latin1', offset, offset + 4), content });
		offset += 8 + length + (length % 2);
	}
	if (offset !== bytes.length) throw new Error(`The last chunk ends at ${offset} of ${bytes.length}`);
	return chunks;
}

/** The tags of `LIST INFO`, `cue `, and `LIST adtl`, in UTF-8. */
export function readWavChunks(bytes: Buffer, sampleRate: number): FoundTags {
	const chunks = riffChunks(bytes);
	const list = (type: string) =>
		chunks
			.filter(({ name, content }) => name === 'LIST' && content.toString('latin1', 0, 4) === type)
			.flatMap(({ content }) => riffChunks(content.subarray(4)));
	const adtl = list('adtl');
	const ofPoint = (name: string, id: number) =>
		adtl.find((chunk) => chunk.name === name && chunk.content.readUInt32LE(0) === id)!.content;
	const cue = chunks.find(({ name }) => name === 'cue ')?.content ?? Buffer.alloc(4);
	if (cue.length !== 4 + 24 * cue.readUInt32LE(0)) throw new Error('The number of points is wrong');
	return {
		texts: Object.fromEntries(list('INFO').map(({ name, content }) => [name, terminated(content)])),
		chapters: Array.from({ length: cue.readUInt32LE(0) }, (_, index) => {
			const point = cue.subarray(4 + 24 * index, 28 + 24 * index);
			const id = point.readUInt32LE(0);
			const start = point.readUInt32LE(20);
			if (point.readUInt32LE(4) !== start || point.toString('latin1', 8, 12) !== 'data') {
				throw new Error('The point is not in the sound');
			}
			const region = ofPoint('ltxt', id);
			if (region.toString('latin1', 8, 12) !== 'rgn ') throw new Error('The length is not that of a region');
			return {
				title: terminated(ofPoint('labl', id).subarray(4)),
				start: (start * 1000) / sampleRate,
				end: ((start + region.readUInt32LE(4)) * 1000) / sampleRate,
			};
		}),
	};
}

function terminated(content: Buffer): string {
	if (content.indexOf(0) !== content.length - 1) throw new Error('A text ends with exactly one zero byte');
	return content.toString('utf8', 0, content.length - 1);
}

/** The comments of an OpusTags packet. @throws Error when they do not fill the packet exactly */
export function readOpusTags(packet: Buffer): FoundTags {
	if (packet.toString('latin1', 0, 8) !== 'OpusTags') throw new Error('This is no OpusTags packet');
	let offset = 8;
	const next = () => {
		const length = packet.readUInt32LE(offset);
		offset += 4 + length;
		return packet.toString('utf8', offset - length, offset);
	};
	next();
	const count = packet.readUInt32LE(offset);
	offset += 4;
	const comments = Array.from({ length: count }, next);
	if (offset !== packet.length) throw new Error(`The comments end at ${offset} of ${packet.length}`);
	const all = Object.fromEntries(
		comments.map((comment) => [comment.split('=', 1)[0], comment.slice(comment.indexOf('=') + 1)]),
	);
	if (Object.keys(all).length !== count) throw new Error('A comment is there twice');
	const isChapter = (name: string) => name.startsWith('CHAPTER');
	return {
		texts: Object.fromEntries(Object.entries(all).filter(([name]) => !isChapter(name))),
		chapters: Object.entries(all)
			.filter(([name]) => isChapter(name) && !name.endsWith('NAME'))
			.map(([name, time]) => {
				const [hours, minutes, seconds, milliseconds] = time.split(/[:.]/).map(Number);
				const start = ((hours * 60 + minutes) * 60 + seconds) * 1000 + milliseconds;
				return { title: all[`${name}NAME`], start };
			}),
	};
}
