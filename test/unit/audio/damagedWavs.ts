import { synthesize } from '../../audioTools';

export const RATE = 24_000;
const tone = (seconds: number) =>
	synthesize(`sine=f=440:d=${seconds},volume=-6dB`, 's16le', ['-ac', '1', '-ar', String(RATE)]);
const THIRDS = [0.5, 0.7, 0.4].map(tone);
export const PCM = Buffer.concat(THIRDS);
export const SECONDS = PCM.length / (2 * RATE);

const word = (value: number) => Buffer.from(Uint32Array.of(value).buffer);
const chunk = (name: string, content: Buffer, size = content.length) =>
	Buffer.concat([Buffer.from(name), word(size), content]);
const FORMAT = chunk(
	'fmt ',
	Buffer.concat([Buffer.from([1, 0, 1, 0]), word(RATE), word(2 * RATE), Buffer.from([2, 0, 16, 0])]),
);

/** A WAV file of this sound. @param size what its header says @param after what follows the sound */
export function wav(sound: Buffer, size = sound.length, after = Buffer.alloc(0), riff = 36 + size): Buffer {
	const data = chunk('data', sound, size);
	return Buffer.concat([
		Buffer.from('RIFF'),
		word(Math.min(riff, 0xffff_ffff)),
		Buffer.from('WAVE'),
		FORMAT,
		data,
		after,
	]);
}
const LIST = chunk('LIST', Buffer.from('INFOISFT\x0e\0\0\0Lavf58.29.100\0'));
const ID3 = chunk('id3 ', Buffer.from('ID3\x03\0\0\0\0\0\x0aTIT2\0\0\0\0\0\0'));
const OWN = chunk('abcd', Buffer.from('of a program'));

const SIZES = {
	right: (length: number) => length,
	'a third': (length: number) => 2 * Math.round(length / 6),
	zero: () => 0,
	'FFFFFFFF (OpenAI, speaches #493)': () => 0xffff_ffff,
	'almost 7FFFFFFF (DashScope, dify #41456)': () => 0x7fff_ff9b,
	'2,000,000,000 (pocket-tts #229)': () => 2_000_000_000,
	'too large': (length: number) => length + 20_000,
};
const AFTER = { nothing: Buffer.alloc(0), 'tags of two kinds': Buffer.concat([LIST, ID3]) };
const CUT = ['too large'];

const oneFile = Object.entries(SIZES).flatMap(([size, of]) =>
	Object.entries(AFTER).map(([after, bytes]) => ({
		damage: `size ${size}, then ${after}`,
		file: wav(PCM, of(PCM.length), bytes),
		isCut: CUT.includes(size) && after === 'nothing',
	})),
);
const sentences = Object.entries(SIZES)
	.filter(([size]) => !CUT.includes(size))
	.flatMap(([size, of]) =>
		Object.entries(AFTER).map(([after, bytes]) => ({
			damage: `a file for each sentence, size ${size}, then ${after} (Kokoro-FastAPI #94)`,
			file: Buffer.concat(THIRDS.map((sound) => wav(sound, of(sound.length), bytes))),
			isCut: false,
		})),
	);
const NAMES = 'INFO|ID3 |fact|cue |bext|iXML|_PMX|smpl|inst|PEAK|JUNK|junk|PAD |FLLR'.split('|');
const others = [
	...NAMES.map((name) => {
		const file = wav(PCM, 0xffff_ffff, chunk(name, Buffer.from('of a program')));
		return { damage: `a chunk "${name}" behind sound of an unknown length`, file, isCut: false };
	}),
	{ damage: 'an unknown chunk behind the sound', file: wav(PCM, PCM.length, OWN), isCut: false },
	{
		damage: 'odd sound without padding, then tags',
		file: wav(Buffer.concat([PCM, Buffer.from([7])]), PCM.length + 1, LIST),
		isCut: false,
	},
	{
		damage: 'odd sound of each sentence without padding',
		file: Buffer.concat(THIRDS.map((sound) => wav(Buffer.concat([sound, Buffer.from([7])])))),
		isCut: false,
	},
	{
		damage: 'a chunk of sound for each sentence',
		file: Buffer.concat([wav(THIRDS[0]), chunk('data', THIRDS[1]), chunk('data', THIRDS[2])]),
		isCut: false,
	},
	{ damage: 'a size that ends before the tags', file: wav(PCM, 1000, LIST), isCut: false },
	{ damage: 'a cut tag behind the sound', file: wav(PCM, PCM.length, LIST.subarray(0, 17)), isCut: false },
];

/** WAV files in the forms in which speech servers write them, all with the same sound. */
export const DAMAGED_WAVS = [...oneFile, ...sentences, ...others];
