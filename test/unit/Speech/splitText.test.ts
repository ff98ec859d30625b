import { withPartLength } from '../../../nodes/Speech/speak';
import { splitSentences, splitText } from '../../../nodes/Speech/splitText';
import { isLinear } from '../growth';
import { ofStatus } from '../shared/ofStatus';

const withoutSpace = (text: string) => text.replace(/\s+/g, '');

function randomTexts(sentences: string[], joiner: string, length: number): string {
	let text = '';
	for (let index = 0; text.length < length; index++)
		text += sentences[(index * 7) % sentences.length] + joiner;
	return text.slice(0, length);
}

const ENGLISH = [
	'Dr. Smith paid 3.14 dollars.',
	'It rained!',
	'Was it late? "Yes," she said.',
	'The train, slow as ever, arrived.',
];
const CHINESE = ['今天天气很好。', '他说：“我们走吧！”', '股市上涨了百分之三，创下新高；', '真的吗？'];
const SAMPLES: Array<[string, string]> = [
	['English', randomTexts(ENGLISH, ' ', 20_000)],
	['Chinese without spaces', randomTexts(CHINESE, '', 20_000)],
	['mixed script', randomTexts([...ENGLISH, ...CHINESE], '', 20_000)],
	['emoji', '👩‍👩‍👧🇩🇪é'.repeat(1_400)],
	['text without punctuation', 'x'.repeat(20_000)],
	['Thai', 'ภาษาไทยไม่มีช่องว่างระหว่างคำ'.repeat(700)],
	['Arabic', 'هل هذا سؤال؟ نعم. '.repeat(1_100)],
];

describe('Text splitter', () => {
	it.each(SAMPLES)(
		'splits %s without loss, duplicates, long parts, or broken surrogate pairs',
		(_name, text) => {
			for (const limit of [50, 333, 4096]) {
				const parts = splitText(text, limit);
				expect(withoutSpace(parts.join(''))).toBe(withoutSpace(text));
				expect(Math.max(...parts.map(({ length }) => length))).toBeLessThanOrEqual(limit);
				expect(parts.every((part) => part.isWellFormed())).toBe(true);
				expect(parts).not.toContain('');
			}
		},
	);

	it.each([
		['The sky is... blue. It is late.', ['The sky is... blue.', 'It is late.']],
		['The sky is… blue. Late', ['The sky is… blue.', 'Late']],
		['He waits... Then he goes.', ['He waits...', 'Then he goes.']],
		['Am 3. Oktober ist Feiertag. Schön!', ['Am 3. Oktober ist Feiertag.', 'Schön!']],
		['Im 19. Jahrhundert. Der 2. Platz.', ['Im 19. Jahrhundert.', 'Der 2. Platz.']],
		['Es war 1999. Dann kam er.', ['Es war 1999.', 'Dann kam er.']],
		['Siehe Abs. 3 u.a. dort, z.B. usw. Danach.', ['Siehe Abs. 3 u.a. dort, z.B. usw. Danach.']],
		['The U.S. is big. Yes.', ['The U.S. is big.', 'Yes.']],
		['It costs 3.50. Fine.', ['It costs 3.50.', 'Fine.']],
		['“Is it late?” he asked. “Yes.” She left.', ['“Is it late?” he asked.', '“Yes.”', 'She left.']],
		[
			'"Stop!" cried the boy. Then: "No." And so on.',
			['"Stop!" cried the boy.', 'Then: "No."', 'And so on.'],
		],
		['„Komm her!“ rief er. Sie kam.', ['„Komm her!“ rief er.', 'Sie kam.']],
		['It rained (a lot.) and then it stopped. Good.', ['It rained (a lot.) and then it stopped.', 'Good.']],
		['「行こう。」と彼は言った。「はい。」', ['「行こう。」と彼は言った。', '「はい。」']],
		['He met J. R. R. Tolkien there. Yes.', ['He met J. R. R. Tolkien there.', 'Yes.']],
		['The U.S.A. team, e.g. Prof. Lee, won. Yes.', ['The U.S.A. team, e.g. Prof. Lee, won.', 'Yes.']],
		['It begins at 9 p.m. sharp. Yes.', ['It begins at 9 p.m. sharp.', 'Yes.']],
		['Mme. Curie and “Dr. No. 5” were late. Yes.', ['Mme. Curie and “Dr. No. 5” were late.', 'Yes.']],
		['「行く。」って彼は言った；ﾊｲ｡はい。', ['「行く。」って彼は言った；', 'ﾊｲ｡', 'はい。']],
		['ہوا۔ نعم؛ राम। श्याम॥ ሰላም። ባህ፧ Բար։ ជា។ x', 'ہوا۔ نعم؛ राम। श्याम॥ ሰላም። ባህ፧ Բար։ ជា។ x'.split(' ')],
		["'Stop.' Then 《再见。》 Il dit « Oui.» Puis", ["'Stop.'", 'Then 《再见。》', 'Il dit « Oui.»', 'Puis']],
		['他走了……我们没有见到他。', ['他走了……', '我们没有见到他。']],
		['他问：“真的吗？”她点了点头。', ['他问：“真的吗？”', '她点了点头。']],
	])('knows what ends a sentence of %j', (text, sentences) => {
		expect(splitSentences(text, 4000)).toEqual(sentences);
		for (let limit = Math.max(...sentences.map(({ length }) => length)); limit < text.length; limit++) {
			const [part] = splitText(text, limit);
			expect(sentences.map((_, index) => withoutSpace(sentences.slice(0, index + 1).join('')))).toContain(
				withoutSpace(part),
			);
		}
	});

	it('knows sentences that only the end of a paragraph ends, wherever they are', () => {
		const text = 'Good news.\n\nFirst\n\nThen it rained. Yes\n\nSo.';
		expect(splitSentences(text, 4000)).toEqual(['Good news.', 'First', 'Then it rained.', 'Yes', 'So.']);
	});

	const twoAndThree = 'The first one is here, at home.\n\nTwo. Three is here.';
	it.each<[string, number, string[]]>([
		// "Two." would fit into the first part.
		[twoAndThree, 40, ['The first one is here, at home.', 'Two. Three is here.']],
		// A part of its own for "Hi." would make four of these three.
		[
			'Hi.\n\nOne two three. Four five six.\n\nOk. Seven eight.',
			20,
			['Hi.\n\nOne two three.', 'Four five six.', 'Ok. Seven eight.'],
		],
		['Aaaa bbbb ccc.\n\nDd. Eeee ffff gggg hhh.', 20, ['Aaaa bbbb ccc.\n\nDd.', 'Eeee ffff gggg hhh.']],
		['It costs 3.14 dollars and more', 14, ['It costs 3.14', 'dollars and', 'more']],
		['👩‍👩‍👧👩‍👩‍👧', 11, ['👩‍👩‍👧', '👩‍👩‍👧']],
		['a👍b', 2, ['a', '👍', 'b']],
		['👍b', 1, ['👍', 'b']],
		['Hi. Oh\n\nand some more words', 20, ['Hi. Oh', 'and some more words']],
		['One two three\r\n\r\nfour five six', 22, ['One two three', 'four five six']],
		['one two, three four', 14, ['one two,', 'three four']],
		['one – two three', 12, ['one –', 'two three']],
		['一二、三四五', 4, ['一二、', '三四五']],
		[' hello ', 10, ['hello']],
		[' \n ', 10, []],
	])('keeps paragraphs, numbers, and grapheme clusters together where they fit: %j', (text, limit, parts) => {
		expect(splitText(text, limit)).toEqual(parts);
	});

	it('does not end a sentence at an abbreviation', () => {
		const words =
			'Mr. Rev. Hon. St. Mt. Gen. Col. Capt. Lt. Sgt. Sen. Rep. Mrs. Ms. Nr. Nos. Fig. Vol. pp. vs. cf. ca. etc. Inc. Ltd. Co. Corp. Jr. Sr. Ph.D. approx. bzw. z. B. Mlle. d. h. Sra. u. a. Dra. o. ä. usw. i. d. R.';
		expect(splitSentences(words, 4000)).toEqual([words]);
	});

	const LENGTH = 5_000;
	it.each<[string, (length: number) => string]>([
		['dots', (length) => '.'.repeat(length)],
		['dots before a letter', (length) => `${'.'.repeat(length / 2)}x`.repeat(2)],
		['closers', (length) => `.${')'.repeat(length)}`],
		['blank lines', (length) => '\n \t'.repeat(length / 3) + 'x'.repeat(10)],
		['initials', (length) => 'A.'.repeat(length / 2)],
	])('splits hostile text in linear time: %s', (_name, textOf) => {
		const splitAll = (length: number) => {
			for (const limit of [4096, (length * 2) / 3]) splitText(textOf(length), limit);
		};
		expect(isLinear(LENGTH, splitAll)).toBe(true);
	});
});

const adviceFor = (gatewayMessage: string, status: number) =>
	withPartLength(ofStatus({ status, gatewayMessage }), 4096).description;

describe('The advice for a text that is too long for the gateway', () => {
	it.each<[string, string, number?]>([
		['The text exceeds the character limit of 2500 characters', '2500 or less'],
		['input.text is longer than the limit of 5000 bytes', '1666 or less'],
		['The input is longer than the maximum of 2000 tokens', '1000 or less'],
		['输入文本过长，不能超过600字', '600 or less'],
		...['text_too_long', 'max_character_limit', 'above_max_length', '文本超长', '文本长度超限'].map(
			(words): [string, string] => [words, 'a smaller number'],
		),
		// DashScope, for a model of Qwen-TTS.
		['Range of input length should be [1, 600]', 'a smaller number'],
		['The text is too long', 'a smaller number', 500],
		['', 'a smaller number', 413],
	])('names the option that splits it, for "%s"', (gatewayMessage, most, status = 400) => {
		expect(adviceFor(gatewayMessage, status)).toContain(
			` To split the text into shorter requests, set Characters per Part in Limits and Retries to ${most}.`,
		);
	});

	it('names Long Text as well when the text is sent as it is', () => {
		const words = 'Expected a string with maximum length 4096, but got a string with length 5123 instead.';
		const whole = withPartLength(ofStatus({ status: 400, gatewayMessage: words }), undefined);
		expect(whole.description).toContain(
			'set Long Text to "Split and Join", and Characters per Part in Limits and Retries to 4096 or less.',
		);
	});

	it.each([
		['The text exceeds the character limit of 4096 characters', 400],
		['The voice does not exist', 400],
		['Text exceeds the limit of 10 characters per minute', 429],
	])('is not given when a part is short enough, or something else is wrong: %s', (words, status) => {
		expect(adviceFor(words, status)).not.toContain('Characters per Part');
	});
});
