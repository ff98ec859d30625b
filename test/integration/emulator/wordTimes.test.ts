import fc from 'fast-check';
import type { Language } from '../../../emulator/audio/spoken/language';
import { numberSyllables } from '../../../emulator/audio/spoken/numbers';
import { syllablesOf } from '../../../emulator/audio/spoken/syllables';
import { spokenWords } from '../../../emulator/audio/spoken/words';
import { wordTimes } from '../../../emulator/audio/wordTimes';
import { VoiceList } from '../../../emulator/catalogue/voices';
import { SPOKEN_TEXTS } from '../../fixtures/spokenTexts';

const voices = new VoiceList().all.map(({ name }) => name);
const letters = (text: string) => text.replace(/[^\p{L}\p{M}\p{N}]/gu, '');
const timesOf = (text: string, more: object = {}) => wordTimes({ text, voice: 'Vera', speed: 1, ...more });

/** The silence after a word, averaged over all voices. */
function pauseAfter(index: number, text: string): number {
	const pauses = voices.map((voice) => {
		const { words } = wordTimes({ text, voice, speed: 1 });
		return words[index + 1].startSeconds - words[index].endSeconds;
	});
	return pauses.reduce((sum, pause) => sum + pause, 0) / pauses.length;
}

describe('The rate of speech', () => {
	// Syllables and morae were counted by hand, not with the emulator's rules.
	it.each([
		['English', 'The council approved a new tram line on Tuesday.', 12, 6.2],
		['German', 'Der Stadtrat hat am Dienstag eine neue Straßenbahnlinie beschlossen.', 19, 6],
		['Spanish', 'El ayuntamiento aprobó el martes una nueva línea de tranvía.', 23, 7.8],
		['French', 'Le conseil a voté une nouvelle ligne de tramway mardi.', 15, 7.2],
		['Russian', 'Во вторник городской совет одобрил новую трамвайную линию.', 21, 6],
		['Chinese', '市政府周二批准了一条新的有轨电车线路。', 18, 5.2],
		['Japanese', 'とうきょうのてんきはあしたもはれるでしょう。', 19, 7.8],
		['Korean', '시의회는 화요일에 새 전차 노선을 승인했습니다.', 20, 7],
		['Arabic', 'وافق المجلس يوم الثلاثاء على خط جديد.', 18, 5.7],
		['Hebrew', 'המועצה אישרה ביום שלישי קו רכבת קלה חדש.', 18, 5.7],
		['Hindi', 'नगर परिषद ने मंगलवार को नई लाइन को मंजूरी दी।', 19, 6.2],
		['Thai', 'ราคากาแฟสูงขึ้นเมื่อเดือนที่แล้ว', 10, 4.7],
	])(
		'in %s is the published one, within an eighth, on average over all voices',
		(_language, text, syllables, rate) => {
			const rates = voices.map((voice) => {
				const { words } = wordTimes({ text, voice, speed: 1 });
				return (
					syllables / words.reduce((sum, { startSeconds, endSeconds }) => sum + endSeconds - startSeconds, 0)
				);
			});
			const average = rates.reduce((sum, each) => sum + each, 0) / rates.length;
			expect(average / rate).toBeGreaterThan(7 / 8);
			expect(average / rate).toBeLessThan(9 / 8);
			// No voice is far from the others.
			expect(Math.max(...rates) / Math.min(...rates)).toBeLessThan(1.45);
			expect(Math.max(...rates) / Math.min(...rates)).toBeGreaterThan(1.1);
		},
	);
});

describe('Syllables', () => {
	it.each<[Language, Record<string, number>]>([
		[
			'english',
			{ make: 1, little: 2, university: 5, wanted: 2, approved: 2, radio: 3, Dr: 2, BBC: 3, NATO: 2 },
		],
		['german', { Straßenbahnlinie: 5, Häuser: 2, Qualität: 3, beschlossen: 3, Kaffeepreis: 3, Theater: 3 }],
		['spanish', { ayuntamiento: 5, tranvía: 3, ciudad: 2, guerra: 2, yo: 1, línea: 3 }],
		['french', { conseil: 2, ligne: 1, quatre: 1, réalité: 4, table: 1 }],
		['russian', { университет: 5, вторник: 2, линию: 3 }],
		['hindi', { करना: 2, नगर: 2, और: 1, स्वागत: 2 }],
		['thai', { คน: 1, รายการ: 2, ประเทศ: 2 }],
		['hebrew', { שלום: 2, ספר: 2, ארבעים: 3 }],
		['arabic', { كتاب: 2, المدرسة: 4 }],
		['chinese', { 有轨电车: 4 }],
		['japanese', { とうきょう: 4, がっこう: 4, コーヒー: 4 }],
		['korean', { 대학교: 3 }],
	])('of words in %s are counted', (language, words) => {
		for (const [word, syllables] of Object.entries(words)) {
			// Those of Thai and Hebrew are fractions.
			expect({ word, syllables: Math.round(syllablesOf(word, language)) }).toEqual({ word, syllables });
		}
	});

	it('of kanji are 1.8 to 2 morae on average', () => {
		const kanji = [...new Set(SPOKEN_TEXTS.Japanese.match(/\p{Script=Han}/gu))];
		const morae = kanji.reduce((sum, character) => sum + syllablesOf(character, 'japanese'), 0);
		expect(kanji.length).toBeGreaterThan(100);
		expect(morae / kanji.length).toBeGreaterThan(1.75);
		expect(morae / kanji.length).toBeLessThan(2);
	});

	it.each<[Language, Record<string, number>]>([
		[
			'english',
			{
				7: 2,
				12: 1,
				21: 3,
				340: 5,
				1999: 5,
				2026: 5,
				2005: 4,
				'3.5 %': 5,
				$12: 3,
				$2026: 8,
				'1,200': 6,
				'12:30': 3,
			},
		],
		['german', { 21: 4, 340: 5, '3,5 %': 6, '1.200': 6, '3,95 €': 7 }],
		['spanish', { 16: 3, 2026: 5, '4,5 %': 9 }],
		['chinese', { 10: 1, 18: 2, 340: 4, 1200: 4, '2031年': 5, 2031: 6, '4.5%': 6, 10000: 2, 10500: 5 }],
		['japanese', { 18: 4, 340: 8, 100: 2, '4.5%': 10 }],
		['korean', { 18: 2, 2031: 5, 130: 3 }],
	])('of numbers in %s are those of their words', (language, numbers) => {
		for (const [number, syllables] of Object.entries(numbers)) {
			expect({ number, syllables: numberSyllables(number, language) }).toEqual({ number, syllables });
		}
	});

	it('of a number depend on the language around it', () => {
		const syllables = (text: string) =>
			spokenWords(text).find((word) => word.text.startsWith('18'))!.syllables;
		expect(syllables('The age is 18 today.')).toBe(2);
		expect(syllables('今天18度')).toBe(2);
		expect(syllables('とても18です')).toBe(4);
		expect(syllables('18 лет назад')).toBe(5);
	});
});

describe('Pauses', () => {
	it.each([
		['a comma', 'one, two', 0.2, 0.3],
		['a Chinese comma', '昨天，今天', 0.2, 0.3],
		['a full stop', 'One. Two', 0.4, 0.6],
		['a Chinese full stop', '昨天。今天', 0.4, 0.6],
		['an Arabic question mark', 'نعم؟ نعم', 0.4, 0.6],
		['a danda', 'हाँ। हाँ', 0.4, 0.6],
		['a paragraph', 'One.\n\nTwo', 0.7, 1],
		['a space in Thai', 'คน คน', 0.2, 0.3],
	])('after %s are as long as in speech', (_what, text, shortest, longest) => {
		const average = pauseAfter(0, text);
		expect(average).toBeGreaterThan(shortest);
		expect(average).toBeLessThan(longest);
	});

	it.each([
		['words', 'one two'],
		['an abbreviation and its name', 'Dr. Moore'],
		['the letters of an abbreviation', 'z. B. Brot'],
		['an ordinal number in German and its month', 'Der 3. Oktober ist da und die Sonne scheint', 1],
	])('do not exist between %s', (_what, text, index = 0) => {
		expect(pauseAfter(index, text)).toBe(0);
	});

	it('lengthen the word before them', () => {
		const seconds = (text: string) => {
			const [{ startSeconds, endSeconds }] = timesOf(text).words;
			return endSeconds - startSeconds;
		};
		expect(seconds('Morning. Today')).toBeGreaterThan(1.1 * seconds('Morning today'));
	});
});

describe('The words of a text', () => {
	it.each(Object.entries(SPOKEN_TEXTS))('in %s are all spoken, in order', (_language, text) => {
		const { words, seconds } = timesOf(text);
		expect(words.map((word) => letters(word.text)).join('')).toBe(letters(text));
		let at = 0;
		for (const { startSeconds, endSeconds } of words) {
			expect(startSeconds).toBeGreaterThanOrEqual(at);
			expect(endSeconds).toBeGreaterThan(startSeconds);
			at = endSeconds;
		}
		expect(words[0].startSeconds).toBeGreaterThan(0.05);
		expect(seconds).toBeGreaterThan(at + 0.1);
	});

	it('take different times, also if they are the same', () => {
		const { words } = timesOf('again and again and again and again and again');
		const lengths = words
			.filter(({ text }) => text === 'again')
			.map((word) => word.endSeconds - word.startSeconds);
		expect(new Set(lengths.slice(0, -1)).size).toBe(4);
		expect(Math.max(...lengths.slice(0, -1)) / Math.min(...lengths)).toBeLessThan(1.4);
	});

	it('are always spoken in the same way, and differently by another voice', () => {
		const text = SPOKEN_TEXTS.English;
		expect(timesOf(text)).toEqual(timesOf(text));
		const seconds = voices.map((voice) => timesOf(text, { voice }).seconds);
		expect(new Set(seconds).size).toBe(voices.length);
		expect(Math.max(...seconds) / Math.min(...seconds)).toBeLessThan(1.25);
		expect(Math.max(...seconds) / Math.min(...seconds)).toBeGreaterThan(1.12);
	});

	it('and all silence are shorter in proportion to the speed', () => {
		const usual = timesOf(SPOKEN_TEXTS.German);
		const fast = timesOf(SPOKEN_TEXTS.German, { speed: 2 });
		expect(fast.seconds).toBeCloseTo(usual.seconds / 2, 6);
		fast.words.forEach((word, index) => {
			expect(word.startSeconds).toBeCloseTo(usual.words[index].startSeconds / 2, 6);
		});
	});

	it('have the silence around them that is asked for', () => {
		const { words, seconds } = wordTimes(
			{ text: 'One two.', voice: 'Vera', speed: 2 },
			{ start: 0.01, end: 0.8 },
		);
		expect(words[0].startSeconds).toBe(0.01);
		expect(seconds - words[1].endSeconds).toBeCloseTo(0.8);
	});

	it('are found in any text', () => {
		fc.assert(
			fc.property(
				fc.string({ unit: 'binary' }),
				fc.constantFrom(...Object.values(SPOKEN_TEXTS)),
				(odd, text) => {
					const { words, seconds } = timesOf(`${odd}${text.slice(0, 40)}${odd}`);
					const times = words.flatMap(({ startSeconds, endSeconds }) => [startSeconds, endSeconds]);
					expect(times).toEqual(times.toSorted((one, other) => one - other));
					expect(Number.isFinite(seconds) && seconds > 0).toBe(true);
				},
			),
		);
	});
});
