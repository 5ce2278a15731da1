/** A part of a name, and its form in a username. */
type NamePart = readonly [written: string, handle: string]

/** Names of one script or language. */
export interface NameStock {
  readonly locale: string
  readonly given: ReadonlyArray<NamePart>
  readonly family: ReadonlyArray<NamePart>
  /** Joins given name and family name in the order of the language. */
  readonly write: (given: string, family: string) => string
}

const western = (given: string, family: string): string => `${given} ${family}`
const eastern = (given: string, family: string): string => `${family}${given}`

/** Parses parts of names from a table such as "Zoë zoe, Noël noel". */
const parts = (table: string): ReadonlyArray<NamePart> =>
  table.split(", ").map((entry) => {
    const [written = "", handle = ""] = entry.split(" ")
    return [written, handle]
  })

/** Names in many scripts, to try the search. */
export const NAME_STOCKS: ReadonlyArray<NameStock> = [
  {
    locale: "en-GB",
    given: parts("Alice alice, Zoë zoe, Siân sian, Oliver oliver, Imogen imogen, Noël noel, Chloë chloe, Harry harry"),
    family: parts("Brontë bronte, Smith smith, Okafor okafor, O’Neill oneill, Khan khan, Hughes hughes, Baker baker"),
    write: western
  },
  {
    locale: "es-ES",
    given: parts(
      "José jose, María maria, Íñigo inigo, Lucía lucia, Ángel angel, Begoña begona, Raúl raul, Sofía sofia"
    ),
    family: parts("García garcia, Núñez nunez, Ibáñez ibanez, Muñoz munoz, Peña pena, López lopez, Gómez gomez"),
    write: western
  },
  {
    locale: "pl-PL",
    given: parts(
      "Łukasz lukasz, Małgorzata malgorzata, Żaneta zaneta, Paweł pawel, Świętosława swieta, Grażyna grazyna"
    ),
    family: parts("Wiśniewski wisniewski, Kowalczyk kowalczyk, Dąbrowski dabrowski, Żak zak, Król krol, Wójcik wojcik"),
    write: western
  },
  {
    locale: "is-IS",
    given: parts("Björk bjork, Þóra thora, Æsa aesa, Sigurður sigurdur, Guðrún gudrun, Jökull jokull"),
    family: parts("Jónsdóttir jonsdottir, Þórsson thorsson, Björnsson bjornsson, Ægisdóttir aegisdottir"),
    write: western
  },
  {
    locale: "vi-VN",
    given: parts("Thảo thao, Dũng dung, Hương huong, Đức duc, Phượng phuong, Quỳnh quynh"),
    family: parts("Nguyễn nguyen, Trần tran, Phạm pham, Đặng dang, Võ vo"),
    write: (given, family) => `${family} ${given}`
  },
  {
    locale: "tr-TR",
    given: parts("İpek ipek, Işıl isil, Çağlar caglar, Şule sule, Gökhan gokhan, Ümit umit"),
    family: parts("Yıldırım yildirim, Öztürk ozturk, Şahin sahin, Çelik celik, Güneş gunes"),
    write: western
  },
  {
    locale: "uk-UA",
    given: parts("Олена olena, Тарас taras, Соломія solomiya, Андрій andriy, Ївга yivha, Наталія nataliya, Юрій yuriy"),
    family: parts("Шевченко shevchenko, Коваленко kovalenko, Бондаренко bondarenko, Їжакевич yizhak, Ткачук tkachuk"),
    write: western
  },
  {
    locale: "el-GR",
    given: parts("Νίκος nikos, Ελένη eleni, Γιώργος giorgos, Άννα anna, Οδυσσέας odysseas, Μαρία maria"),
    family: parts("Παπαδόπουλος papadopoulos, Αγγελίδης angelidis, Ιωάννου ioannou, Βασιλείου vasileiou"),
    write: western
  },
  {
    locale: "ar-EG",
    given: parts("ليلى layla, أحمد ahmad, فاطمة fatima, يوسف yusuf, نور nour, مريم maryam"),
    family: parts("المصري almasri, حداد haddad, القاسم alqasim, منصور mansour, الخطيب alkhatib"),
    write: western
  },
  {
    locale: "he-IL",
    given: parts("נועה noa, דוד david, תמר tamar, יונתן yonatan, שירה shira, אורי ori"),
    family: parts("כהן cohen, לוי levi, מזרחי mizrahi, פרץ peretz, אברהם avraham"),
    write: western
  },
  {
    locale: "hi-IN",
    given: parts("प्रिया priya, अर्जुन arjun, कृष्णा krishna, दीपिका deepika, रोहन rohan, अनन्या ananya"),
    family: parts("शर्मा sharma, वर्मा varma, मिश्रा mishra, सिंह singh, गुप्ता gupta"),
    write: western
  },
  {
    locale: "zh-CN",
    given: parts("伟 wei, 丽娜 lina, 晓明 xiaoming, 思雨 siyu, 子轩 zixuan, 静 jing"),
    family: parts("王 wang, 李 li, 张 zhang, 欧阳 ouyang, 陈 chen, 诸葛 zhuge"),
    write: eastern
  },
  {
    locale: "ja-JP",
    given: parts("さくら sakura, ゆうき yuki, ハルト haruto, あおい aoi, レン ren, ひまり himari"),
    family: parts("たなか tanaka, サトウ sato, すずき suzuki, タカハシ takahashi, わたなべ watanabe"),
    write: (given, family) => `${family} ${given}`
  },
  {
    locale: "ko-KR",
    given: parts("지우 jiwoo, 서연 seoyeon, 민준 minjun, 하은 haeun, 도윤 doyun, 수빈 subin"),
    family: parts("김 kim, 이 lee, 박 park, 최 choi, 정 jung"),
    write: eastern
  }
]

/** Nicknames that some members have. */
export const NICKNAMES: ReadonlyArray<string> = [
  "🦊 fox",
  "captain ☕️",
  "🌈",
  "👩🏽‍🚀 orbit",
  "the ｗｉｄｅ one",
  "Ⓒⓞⓓⓔ",
  "ﬁne day",
  "ノリ🍙",
  "🇮🇸 elf",
  "Straße 7",
  "½ awake",
  "ZALGO z̵a̶l̷g̸o̵"
]
