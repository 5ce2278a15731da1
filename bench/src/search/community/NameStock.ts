/** At least one, the most frequent first. */
export type Stock = readonly [string, ...ReadonlyArray<string>]

const stock = (first: string, rest: string): Stock => [first, ...rest.split(" ")]

/** Given names in Latin script, with and without accents. */
export const GIVEN = stock(
  "Alex",
  `Maria Daniel Alexander Marie Andreas Martin Anna José Sandra Christian Alexandra Mark Laura Andrea Kevin Sara Marco
  Thomas Julia Marcel Sofia Lukas André Chloé Zoë Noël René Łukasz Małgorzata Björn Jürgen Søren Åsa Íñigo Ángel Begoña
  Đorđe Žaneta Ömer Şule Paweł François Hélène Céline Jörg Nguyễn Trần Siân Oisín Eilidh Mateusz Ryan Emily Jack Olivia
  Noah Emma Liam Ava Lucas Mia Ethan Isabella Mason Ella Logan Grace James Amelia Aiden Harper Jackson Evelyn Sebastian
  Abigail Benjamin Charlotte Samuel Scarlett Henry Victoria Owen Aria Wyatt Madison Dylan Luna Nathan Penelope Isaac
  Layla Caleb Riley Joshua Zoey Hannah Nora Leah Lily Eleanor Violet Hazel Aurora Quentin Xenia Yusuf Fatima Omar`
    .replace(/\s+/g, " ")
)

/** Family names in Latin script. */
export const FAMILY = stock(
  "Anderson",
  `García Johnson Müller Peterson Smith Martínez Rodríguez Fernández López Núñez Kowalski Wiśniewski Jönsson Sørensen
  Ibáñez Muñoz Peña Gómez Dąbrowski Žižek Çelik Yılmaz O’Neill D’Angelo Brontë Okafor Khan Hughes Baker Schröder Groß
  Weiß Dvořák Novák Horváth Nagy Szabó Popescu Ionescu Papadakis Rossi Bianchi Ferrari Esposito Lefèvre Dubois Moreau
  Laurent Girard Lambert van-Dijk de-Jong Janssen Visser Bakker Nilsson Lindqvist Virtanen Korhonen Nieminen Tamm Kask
  Jonsdottir Björnsdóttir Sigurðsson Silva Santos Oliveira Pereira Conceição Araújo Tanaka Sato Suzuki Kim Park Choi Lee
  Wang Zhang Chen Nguyen Pham Singh Patel Sharma Gupta Hassan Hussein Ali Ahmed Cohen Levi Mizrahi Ivanova Petrov`
    .replace(/\s+/g, " ")
)

/** The words of names on the internet. */
export const WORDS = stock(
  "the",
  `real its gamer dark official shadow king night wolf star dragon fire master ninja ghost pro storm lord ice hunter
  queen moon blue red black white silver golden crazy lucky happy sleepy angry tiny mega ultra hyper cyber pixel retro
  neon cosmic lunar solar falcon raven tiger panda otter koala fox bear shark viper cobra eagle phoenix griffin wizard
  knight samurai pirate viking ranger scout sniper rogue paladin druid mage toast waffle pickle noodle ramen sushi taco
  pancake muffin cookie banana mango cherry lemon pepper ginger coffee matcha boba salsa disco jazz tango echo nova orbit
  comet nebula quasar photon quantum vector matrix kernel docker rusty python gopher lambda kotlin cipher glitch static
  rocket turbo nitro drift sprint velvet crimson azure jade onyx cobalt amber ivory maple cedar willow river ocean summit
  canyon prairie tundra breeze thunder blizzard ember frost quiet zephyr mystic oracle riddle puzzle yonder jumble hexagon`
    .replace(/\s+/g, " ")
)

/** Names in other scripts; some have several code units a character, some only one or two characters. */
export const OTHER_SCRIPTS = stock(
  "山田太郎",
  `佐藤花子 鈴木一郎 さくら ゆうき ハルカ ケンタ 王伟 李娜 张敏 刘洋 陈静 김민준 이서연 박지훈 최수빈 Νίκος Γιώργος Ελένη
  Κατερίνα Σοφία Αλέξανδρος Иван Мария Дмитрий Анастасия Ольга Сергей Фёдор Юлия दीपक प्रिया محمد فاطمة אברהם שרה สมชาย
  𝓐𝓵𝓮𝔁 𝕸𝖆𝖗𝖎𝖆 ＮＥＯＮ 雨 星 龍 🦊 🐺 👑`.replace(/\s+/g, " ")
)

/** Decorations of a name. */
export const DECORATIONS = stock("✨", "🔥 💀 🌸 🎮 ⚡ 🐉 ★ 👑 🌙 🇵🇱 ♡ 🏳️‍🌈 ☕ 🎧")

/** Groups that people put in front of their nickname. */
export const CLANS = stock("EU", "NA MOD DEV RAID PvP QA GOLD VIP 東 NSFW TTV BRB AFK OG")
