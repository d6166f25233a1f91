// Unicode 15.1 as Python 3.13 has it; what JavaScript's own tables lack.

/** Characters that are digits (superscripts, circled and the like) but not decimal: the inside of a character class. */
export const otherDigits =
  '\\u{b2}-\\u{b3}\\u{b9}\\u{1369}-\\u{1371}\\u{19da}\\u{2070}\\u{2074}-\\u{2079}\\u{2080}-\\u{2089}\\u{2460}-\\u{2468}\\u{2474}-\\u{247c}\\u{2488}-\\u{2490}\\u{24ea}\\u{24f5}-\\u{24fd}\\u{24ff}\\u{2776}-\\u{277e}\\u{2780}-\\u{2788}\\u{278a}-\\u{2792}\\u{10a40}-\\u{10a43}\\u{10e60}-\\u{10e68}\\u{11052}-\\u{1105a}\\u{1f100}-\\u{1f10a}';

/** Ideographs that stand for numbers: the inside of a character class. */
export const numericIdeographs =
  '\\u{3405}\\u{3483}\\u{382a}\\u{3b4d}\\u{4e00}\\u{4e03}\\u{4e07}\\u{4e09}\\u{4e24}\\u{4e5d}\\u{4e8c}\\u{4e94}\\u{4e96}\\u{4eac}\\u{4ebf}-\\u{4ec0}\\u{4edf}\\u{4ee8}\\u{4f0d}\\u{4f70}\\u{4fe9}\\u{5006}\\u{5104}\\u{5146}\\u{5169}\\u{516b}\\u{516d}\\u{5341}\\u{5343}-\\u{5345}\\u{534c}\\u{53c1}-\\u{53c4}\\u{56db}\\u{58f1}\\u{58f9}\\u{5e7a}\\u{5efe}-\\u{5eff}\\u{5f0c}-\\u{5f0e}\\u{5f10}\\u{62d0}\\u{62fe}\\u{634c}\\u{67d2}\\u{6d1e}\\u{6f06}\\u{7396}\\u{767e}\\u{7695}\\u{79ed}\\u{8086}\\u{842c}\\u{8cae}\\u{8cb3}\\u{8d30}\\u{920e}\\u{94a9}\\u{9621}\\u{9646}\\u{964c}\\u{9678}\\u{96f6}\\u{f96b}\\u{f973}\\u{f978}\\u{f9b2}\\u{f9d1}\\u{f9d3}\\u{f9fd}\\u{20001}\\u{20064}\\u{200e2}\\u{20121}\\u{2092a}\\u{20983}\\u{2098c}\\u{2099c}\\u{20aea}\\u{20afd}\\u{20b19}\\u{22390}\\u{22998}\\u{23b1b}\\u{2626d}\\u{2f890}';

/** Characters whose title case is not their upper case: pairs of a character and its title case. Georgian is not here. */
export const titleCases = (
  'ß Ss Ǆ ǅ ǅ ǅ ǆ ǅ Ǉ ǈ ǈ ǈ ǉ ǈ Ǌ ǋ ǋ ǋ ǌ ǋ Ǳ ǲ ǲ ǲ ǳ ǲ և Եւ ᾀ ᾈ ᾁ ᾉ ᾂ ᾊ ᾃ ᾋ ᾄ ᾌ ᾅ ᾍ ᾆ ᾎ ᾇ ᾏ ᾈ ᾈ ᾉ ᾉ ᾊ ᾊ ᾋ ᾋ ᾌ ᾌ ' +
  'ᾍ ᾍ ᾎ ᾎ ᾏ ᾏ ᾐ ᾘ ᾑ ᾙ ᾒ ᾚ ᾓ ᾛ ᾔ ᾜ ᾕ ᾝ ᾖ ᾞ ᾗ ᾟ ᾘ ᾘ ᾙ ᾙ ᾚ ᾚ ᾛ ᾛ ᾜ ᾜ ᾝ ᾝ ᾞ ᾞ ᾟ ᾟ ᾠ ᾨ ᾡ ᾩ ᾢ ᾪ ᾣ ᾫ ᾤ ᾬ ᾥ ᾭ ᾦ ᾮ ᾧ ᾯ ᾨ ' +
  'ᾨ ᾩ ᾩ ᾪ ᾪ ᾫ ᾫ ᾬ ᾬ ᾭ ᾭ ᾮ ᾮ ᾯ ᾯ ᾲ Ὰ\u0345 ᾳ ᾼ ᾴ Ά\u0345 ᾷ Α\u0342\u0345 ᾼ ᾼ ῂ Ὴ\u0345 ῃ ῌ ῄ Ή\u0345 ῇ Η\u0342\u0345 ῌ ῌ ῲ Ὼ\u0345 ῳ ῼ ῴ Ώ\u0345 ῷ Ω\u0342\u0345 ῼ ῼ ﬀ Ff ﬁ ' +
  'Fi ﬂ Fl ﬃ Ffi ﬄ Ffl ﬅ St ﬆ St ﬓ Մն ﬔ Մե ﬕ Մի ﬖ Վն ﬗ Մխ'
).split(' ');
