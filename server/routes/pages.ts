/** The page of `/html`: the opening of a book in the public domain. */
export const HTML_PAGE = `<!DOCTYPE html>
<html>
  <head>
    <title>Moby-Dick</title>
  </head>
  <body>
    <h1>Herman Melville - Moby-Dick</h1>
    <p>
      Call me Ishmael. Some years ago - never mind how long precisely - having little or no money in my purse, and
      nothing particular to interest me on shore, I thought I would sail about a little and see the watery part of the
      world.
    </p>
  </body>
</html>
`

/** The document of `/xml`. */
export const XML_PAGE = `<?xml version='1.0' encoding='us-ascii'?>
<!-- A sample set of slides -->
<slideshow title="Sample Slide Show" date="Date of publication" author="Yours Truly">
  <slide type="all">
    <title>Wake up to WonderWidgets!</title>
  </slide>
  <slide type="all">
    <title>Overview</title>
    <item>Why <em>WonderWidgets</em> are great</item>
    <item/>
    <item>Who <em>buys</em> WonderWidgets</item>
  </slide>
</slideshow>
`

/** The page of `/encoding/utf8`: several scripts, combining characters and characters beyond the basic plane. */
export const UTF8_PAGE: Buffer = Buffer.from(`<!DOCTYPE html>
<html>
  <head>
    <meta charset="utf-8">
    <title>UTF-8</title>
  </head>
  <body>
    <h1>Unicode in UTF-8</h1>
    <ul>
      <li>Mathematics: ∮ E⋅da = Q, n → ∞, ∑ f(i) = ∏ g(i), ∀x∈ℝ: ⌈x⌉ = −⌊−x⌋</li>
      <li>Greek: Σὲ γνωρίζω ἀπὸ τὴν κόψη</li>
      <li>Russian: Съешь же ещё этих мягких французских булок</li>
      <li>Georgian: გთხოვთ ახლავე გაიაროთ რეგისტრაცია</li>
      <li>Hebrew: דג סקרן שט בים מאוכזב</li>
      <li>Thai: นายสังฆภัณฑ์ เฮงพิทักษ์ฝั่ง</li>
      <li>Japanese: いろはにほへと ちりぬるを</li>
      <li>Combining: e\u0301 n\u0303 o\u0308\u0304</li>
      <li>Beyond the basic plane: 𝔘𝔫𝔦𝔠𝔬𝔡𝔢 🧳 👩‍🔬</li>
    </ul>
  </body>
</html>
`)

/** The page of `/forms/post`: a form that is sent to `/post`. */
export const FORM_PAGE = `<!DOCTYPE html>
<html>
  <body>
    <form method="post" action="/post">
      <p><label>Customer name: <input name="custname"></label></p>
      <p><label>Telephone: <input type="tel" name="custtel"></label></p>
      <p><label>E-mail address: <input type="email" name="custemail"></label></p>
      <fieldset>
        <legend>Pizza size</legend>
        <label><input type="radio" name="size" value="small"> Small</label>
        <label><input type="radio" name="size" value="medium"> Medium</label>
        <label><input type="radio" name="size" value="large"> Large</label>
      </fieldset>
      <fieldset>
        <legend>Pizza toppings</legend>
        <label><input type="checkbox" name="topping" value="bacon"> Bacon</label>
        <label><input type="checkbox" name="topping" value="cheese"> Extra cheese</label>
        <label><input type="checkbox" name="topping" value="onion"> Onion</label>
      </fieldset>
      <p><label>Delivery time: <input type="time" name="delivery"></label></p>
      <p><label>Instructions: <textarea name="comments"></textarea></label></p>
      <p><button>Submit order</button></p>
    </form>
  </body>
</html>
`

/** The text of `/robots.txt`. */
export const ROBOTS_TEXT = 'User-agent: *\nDisallow: /deny\n'

/** The text of `/deny`. */
export const DENY_TEXT = `
      .-------.
     /  STOP   \\
     \\         /
      '-------'
  YOU SHOULDN'T BE HERE
`
